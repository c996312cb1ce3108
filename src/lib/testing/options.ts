import { nameOf, type OptionSet, type Options, type ValuesOf } from "../options/option-set.ts";
import { OptionStore } from "../options/option-store.ts";
import { resolveOptions } from "../options/resolve-options.ts";

/** Options with their defaults and some other values. `change` changes one, as a superuser does at run time. */
export function createTestOptions<O extends Options>(
  set: OptionSet<O>,
  values: Partial<ValuesOf<OptionSet<O>>> = {},
) {
  const store = new OptionStore(resolveOptions([set], undefined, {}));
  const change = <K extends keyof O & string>(key: K, value: ValuesOf<OptionSet<O>>[K]) =>
    store.set(nameOf(set, key), value);
  for (const [key, value] of Object.entries(values)) store.set(nameOf(set, key), value);
  return { ...store.live(set), change };
}
