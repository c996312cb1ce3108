import { nameOf, type OptionGroup, type OptionSet, type ValuesOfAll } from "./option-set.ts";
import type { ResolvedOption } from "./resolve-options.ts";
import type { OptionEntry } from "./show-option.ts";

/** The current values of a set of options. Options that can be changed at run time change here. */
export interface LiveOptions<Values> {
  /** The values at this moment. Read a value when it is needed; do not copy it. */
  readonly current: Values;
  /** Calls the listener when the value is changed at run time. */
  onChange<K extends keyof Values>(name: K, listener: (value: Values[K]) => void): void;
  /** Names a component that owns the value, because code can change it there too. */
  connect<K extends keyof Values>(name: K, owner: { get(): Values[K]; set(value: Values[K]): void }): void;
}

interface Owner {
  get(): unknown;
  set(value: unknown): void;
}

/** The options of an application: their values, by whole name. */
export class OptionStore {
  private readonly resolved: ReadonlyMap<string, ResolvedOption>;
  private readonly values: Map<string, unknown>;
  private readonly listeners = new Map<string, ((value: unknown) => void)[]>();
  private readonly owners = new Map<string, Owner>();
  /** The groups that have a title. */
  readonly groups: readonly OptionGroup[];

  constructor(resolved: readonly ResolvedOption[], groups: readonly OptionGroup[] = []) {
    this.groups = groups;
    this.resolved = new Map(resolved.map((each) => [each.name, each]));
    this.values = new Map(resolved.map(({ name, value }) => [name, value]));
  }

  /** Every option with its value at startup, for display. */
  get entries(): OptionEntry[] {
    return [...this.resolved.values()].map(({ entry }) => entry);
  }

  /** The options that can be changed at run time. */
  get changeable(): ResolvedOption[] {
    return [...this.resolved.values()].filter(({ option }) => option.runtime !== undefined);
  }

  get(name: string): unknown {
    const owner = this.owners.get(name);
    return owner ? owner.get() : this.values.get(name);
  }

  /** Changes a value in this process. */
  set(name: string, value: unknown): void {
    this.values.set(name, value);
    this.owners.get(name)?.set(value);
    for (const listener of this.listeners.get(name) ?? []) listener(value);
  }

  /** The options of some sets, by their names within the sets. */
  live<Sets extends readonly OptionSet[]>(...sets: Sets): LiveOptions<ValuesOfAll<Sets>> {
    const names = new Map(
      sets.flatMap((set) => Object.keys(set.options).map((key) => [key, nameOf(set, key)] as const)),
    );
    const current = Object.defineProperties(
      {},
      Object.fromEntries(
        [...names].map(([key, name]) => [key, { get: () => this.get(name), enumerable: true }]),
      ),
    );
    return {
      // Each value was parsed by the option that gives it its type.
      current: current as ValuesOfAll<Sets>,
      onChange: (key, listener) => this.listen(names.get(String(key))!, listener as (value: unknown) => void),
      connect: (key, owner) => void this.owners.set(names.get(String(key))!, owner as Owner),
    };
  }

  private listen(name: string, listener: (value: unknown) => void): void {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }
}
