/** Seeded random choices: the same seed gives the same requests, so a finding can be repeated. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  fraction(): number;
  /** A whole number from 0 up to, but not including, the limit. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** Between the two numbers of results, each made by the function. */
  several<T>(least: number, most: number, make: (index: number) => T): T[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32: 32 bits of state are enough to choose among a few hundred values.
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(fraction() * limit);
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick: (values) => values[below(values.length)]!,
    several: (least, most, make) =>
      Array.from({ length: least + below(most - least + 1) }, (_, index) => make(index)),
  };
}
