/** On a shared machine the mean belongs to whoever else was running. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [below, above] = [Math.floor, Math.ceil].map((round) => sorted[round((sorted.length - 1) / 2)]);
  return ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2;
}

/** How many times as much as the others of the same rounds: both have met the same neighbours. */
export function pairedRatio(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, round) => value / others[round]!));
}
