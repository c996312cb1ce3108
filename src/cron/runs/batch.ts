/**
 * Collects what is given within one turn of the event loop, and while a write is under way, and writes it together:
 * five hundred runs that end at once are one transaction and not five hundred.
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
