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

/**
 * Divides items among the instances, so that no two of them claim the same ones. All instances use the same order, which
 * changes with the keys: `rank` is the position of this instance among them.
 */
export function toShares<T>(
  items: readonly T[],
  { instanceCount, rank }: { readonly instanceCount: number; readonly rank: number },
  keyOf: (item: T) => string,
): { own: T[]; others: T[] } {
  const ranked = items.map((item) => ({ item, rank: hash(keyOf(item)) }));
  ranked.sort((one, other) => one.rank - other.rank);
  const isOwn = (index: number) => index % instanceCount === rank % instanceCount;
  return {
    own: ranked.filter((_, index) => isOwn(index)).map(({ item }) => item),
    others: ranked.filter((_, index) => !isOwn(index)).map(({ item }) => item),
  };
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
