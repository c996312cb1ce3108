const sizes = [100, 10, 1];

/**
 * Cuts rows into portions of few sizes. A statement for a portion is remembered by the database's driver, and one for
 * every number of rows there can be would fill its memory.
 */
export function* portions<T>(rows: readonly T[]): Generator<T[]> {
  let at = 0;
  for (const size of sizes) {
    for (; rows.length - at >= size; at += size) yield rows.slice(at, at + size);
  }
}
