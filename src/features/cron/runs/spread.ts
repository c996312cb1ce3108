const leastSize = 20;
/** Slices for each instance. Several, so that a slow instance gets fewer; not many, because there is a pause between two. */
const slicesPerInstance = 5;

export interface Fleet {
  /** ID of this instance. */
  readonly instance: string;
  readonly instanceCount: number;
}

/**
 * Divides items into slices, in an order that depends on the instance. Instances that claim the slices in this order
 * start with different items, so that each gets about the same number.
 */
export function toSlices<T>(items: readonly T[], fleet: Fleet, keyOf: (item: T) => string): T[][] {
  const { instance, instanceCount } = fleet;
  const size = Math.max(leastSize, Math.ceil(items.length / (instanceCount * slicesPerInstance)));
  const ranked = items.map((item) => ({ item, rank: hash(`${instance} ${keyOf(item)}`) }));
  ranked.sort((one, other) => one.rank - other.rank);
  const slices: T[][] = [];
  for (let start = 0; start < ranked.length; start += size) {
    slices.push(ranked.slice(start, start + size).map(({ item }) => item));
  }
  return slices;
}

/** What an instance claims, and in which order. */
export interface Shares<T> {
  /** Its own share. No other instance claims it first. */
  readonly own: T[];
  /** Its part of the shares of the others. If one of them is dead, the living ones divide its share evenly. */
  readonly asSubstitute: T[];
  readonly rest: T[];
}

/**
 * Divides items among the instances, so that no two of them claim the same ones. All instances use the same order, which
 * changes with the keys: `rank` is the position of this instance among them.
 */
export function toShares<T>(
  items: readonly T[],
  { instanceCount, rank }: { readonly instanceCount: number; readonly rank: number },
  keyOf: (item: T) => string,
): Shares<T> {
  const ranked = items.map((item) => ({ item, rank: hash(keyOf(item)) }));
  ranked.sort((one, other) => one.rank - other.rank);
  const shares: Shares<T> = { own: [], asSubstitute: [], rest: [] };
  for (const [index, { item }] of ranked.entries()) {
    const owner = index % instanceCount;
    const round = Math.floor(index / instanceCount);
    // The others take turns.
    const substitute = (owner + 1 + (round % Math.max(1, instanceCount - 1))) % instanceCount;
    const isThis = (other: number) => other === rank % instanceCount;
    if (isThis(owner)) shares.own.push(item);
    else if (isThis(substitute)) shares.asSubstitute.push(item);
    else shares.rest.push(item);
  }
  return shares;
}

/** FNV-1a with 32 bits: enough to mix names. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  // The last characters of similar names would otherwise change the low bits only.
  value ^= value >>> 15;
  return Math.imul(value, 0x85_eb_ca_6b) >>> 0;
}
