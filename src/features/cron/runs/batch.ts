/** Both engines limit the number of parameters per statement. */
export const rowsPerStatement = 500;

export function* slices<T>(items: readonly T[], size = rowsPerStatement): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/**
 * Collects items added within one turn of the event loop, or while a write is in progress, and writes them together.
 * 500 runs that end at the same time need one transaction instead of 500.
 */
export function createBatch<T>(write: (items: T[]) => Promise<void>): (item: T) => Promise<void> {
  let waiting: T[] = [];
  let next: Promise<void> | undefined;
  let current: Promise<unknown> = Promise.resolve();

  async function flush(): Promise<void> {
    await current;
    await new Promise((resolve) => setImmediate(resolve));
    const items = waiting;
    waiting = [];
    next = undefined;
    const writing = write(items);
    current = writing.catch(() => {});
    return writing;
  }

  return (item) => {
    waiting.push(item);
    next ??= flush();
    return next;
  };
}
