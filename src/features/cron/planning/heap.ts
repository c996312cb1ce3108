/** Heap item with a due time. It stores its own position so that it can be moved and removed efficiently. */
export interface Due {
  at: number;
  /** Maintained by the heap; −1 if the item is not in it. */
  place: number;
}

/** Binary min-heap ordered by due time. */
export class Heap<T extends Due> {
  private items: T[] = [];

  get size(): number {
    return this.items.length;
  }

  get top(): T | undefined {
    return this.items[0];
  }

  values(): Iterable<T> {
    return this.items;
  }

  add(item: T): void {
    this.put(item, this.items.length);
    this.rise(item);
  }

  delete(item: T): void {
    const { place } = item;
    if (place === -1) return;
    item.place = -1;
    const last = this.items.pop()!;
    if (last === item) return;
    this.put(last, place);
    this.update(last);
  }

  /** Call after the item's time has changed. */
  update(item: T): void {
    this.rise(item);
    this.sink(item);
  }

  /** Call after the times of many items have changed. */
  rebuild(): void {
    for (let place = this.items.length >> 1; place >= 0; place--) {
      const item = this.items[place];
      if (item) this.sink(item);
    }
  }

  private put(item: T, place: number): void {
    this.items[place] = item;
    item.place = place;
  }

  private rise(item: T): void {
    while (item.place > 0) {
      const parent = this.items[(item.place - 1) >> 1]!;
      if (parent.at <= item.at) return;
      this.swap(item, parent);
    }
  }

  private sink(item: T): void {
    for (;;) {
      const left = this.items[item.place * 2 + 1];
      const right = this.items[item.place * 2 + 2];
      const child = left && right && right.at < left.at ? right : left;
      if (!child || item.at <= child.at) return;
      this.swap(item, child);
    }
  }

  private swap(one: T, other: T): void {
    const { place } = one;
    this.put(one, other.place);
    this.put(other, place);
  }
}
