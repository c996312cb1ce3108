const sizes = [100, 10, 1];

/**
 * Splits rows into batches of a few fixed sizes. The database driver caches a statement per batch size, and one for
 * every possible size would fill its cache.
 */
export function* portions<T>(rows: readonly T[]): Generator<T[]> {
  let at = 0;
  for (const size of sizes) {
    for (; rows.length - at >= size; at += size) yield rows.slice(at, at + size);
  }
}
