import { refuseUnknown, typeOf } from "../lib/options/only-known.ts";

/** Options of `app.onServe` and `app.onTerminate`. */
export interface HookOptions {
  /** Name of the hook. Adding a hook with the same name replaces the earlier one. */
  id?: string;
  /** Hooks with a lower priority run first; hooks with equal priority run in the order of registration. Default 0. */
  priority?: number;
}

type Hook<E> = (event: E) => unknown;

/** Runs functions one after the other at a lifecycle event. */
export class Hooks<E extends object> {
  private readonly entries: { id: string | undefined; priority: number; hook: Hook<E & HookControl> }[] = [];

  add(hook: Hook<E & HookControl>, options: HookOptions = {}): void {
    if (typeof hook !== "function")
      throw new TypeError(`The hook must be a function, but is ${typeOf(hook)}.`);
    refuseUnknown<HookOptions>("The hook", options, { id: true, priority: true });
    const { id, priority = 0 } = options;
    const taken = id === undefined ? -1 : this.entries.findIndex((entry) => entry.id === id);
    const entry = { id, priority, hook };
    if (taken === -1) this.entries.push(entry);
    else this.entries[taken] = entry;
  }

  /** Runs all hooks. If a hook does not call `next`, the later hooks run after it. */
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
  /** Runs the later hooks and waits for them, so that this hook can continue afterwards. */
  next(): Promise<void>;
}
