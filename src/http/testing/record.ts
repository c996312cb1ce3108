/** Recorded items, with a promise for items that follow. */
export class Record<T> {
  readonly items: T[] = [];
  private waiting: { matches: (item: T) => boolean; resolve: (item: T) => void }[] = [];

  add(item: T): void {
    this.items.push(item);
    this.waiting = this.waiting.filter(({ matches, resolve }) => {
      if (!matches(item)) return true;
      resolve(item);
      return false;
    });
  }

  /** The first matching item, now or later. */
  find(matches: (item: T) => boolean = () => true): Promise<T> {
    const known = this.items.find(matches);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.waiting.push({ matches, resolve }));
  }
}
