export interface HookOptions {
  /** A name; adding a hook under one that is taken replaces it. */
  id?: string;
  /** Lower runs earlier; default 0. Among equals, in the order they were added. */
  priority?: number;
}

type Hook<E> = (event: E) => unknown;

/** Functions that run one after the other around an event in the application's life. */
export class Hooks<E extends object> {
  private readonly entries: { id: string | undefined; priority: number; hook: Hook<E & HookControl> }[] = [];

  add(hook: Hook<E & HookControl>, { id, priority = 0 }: HookOptions = {}): void {
    const taken = id === undefined ? -1 : this.entries.findIndex((entry) => entry.id === id);
    const entry = { id, priority, hook };
    if (taken === -1) this.entries.push(entry);
    else this.entries[taken] = entry;
  }

  /** Runs them all. A hook that calls `next` itself decides when the later ones run; one that does not is followed by them. */
  async run(event: E): Promise<void> {
    const hooks = this.entries.toSorted((one, other) => one.priority - other.priority);
    const from = async (index: number): Promise<void> => {
      const entry = hooks[index];
      if (entry === undefined) return;
      let rest: Promise<void> | undefined;
      const next = () => {
        rest ??= from(index + 1);
        return rest;
      };
      await entry.hook({ ...event, next });
      await next();
    };
    await from(0);
  }
}

export interface HookControl {
  /** Runs the hooks that come after this one; for one that has something to do when they are done. */
  next(): Promise<void>;
}
