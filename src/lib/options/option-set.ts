import type { Option } from "./option.ts";

export type Options = Readonly<Record<string, Option>>;

/** Options that belong together. */
export interface OptionSet<
  O extends Options = Options,
  Group extends string = string,
  Flat extends boolean = boolean,
> {
  /** Where the options are shown on the Config page. It is also the first part of their names, unless they are flat. */
  readonly group: Group;
  /** Whether the names of the options have no group: `port`, not `server.port`. */
  readonly isFlat: Flat;
  readonly options: O;
}

/** Declares the options of a group: `defineOptions("cron", { timezone: option.text({ … }) })` is `cron.timezone`. */
export function defineOptions<const Group extends string, O extends Options>(
  group: Group,
  options: O,
): OptionSet<O, Group, false> {
  return { group, isFlat: false, options };
}

/** Declares options without a group in their names: `defineFlatOptions("server", { port: … })` is `port`. */
export function defineFlatOptions<const Group extends string, O extends Options>(
  group: Group,
  options: O,
): OptionSet<O, Group, true> {
  return { group, isFlat: true, options };
}

/** The whole name of an option, as in messages and on the Config page. */
export function nameOf({ group, isFlat }: Pick<OptionSet, "group" | "isFlat">, key: string): string {
  return isFlat ? key : `${group}.${key}`;
}

/** The values of a set by their names within the set. */
export type ValuesOf<Set> =
  Set extends OptionSet<infer O>
    ? { readonly [K in keyof O]: O[K] extends Option<infer Value, unknown> ? Value : never }
    : never;

/** The defaults of a set whose defaults depend on nothing else. */
export function defaultsOf<O extends Options>({ options }: OptionSet<O>): ValuesOf<OptionSet<O>> {
  const context = { environment: {}, caller: undefined, value: () => undefined, variableOf: () => undefined };
  const values = Object.entries(options).map(([key, option]) => [key, option.defaultOf(context)]);
  // Each value comes from the option that gives it its type.
  return Object.fromEntries(values) as ValuesOf<OptionSet<O>>;
}

/** The values of several sets. Their names within the sets must differ. */
export type ValuesOfAll<Sets extends readonly unknown[]> = Sets extends readonly [infer First, ...infer Rest]
  ? ValuesOf<First> & ValuesOfAll<Rest>
  : unknown;

type InputsOf<O> = {
  -readonly [K in keyof O]?: O[K] extends { readonly input?: infer Input }
    ? Exclude<Input, undefined>
    : never;
};

type Merge<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer All) => void
  ? All
  : never;

type InputOf<Set> =
  Set extends OptionSet<infer O, infer Group, infer Flat>
    ? Flat extends true
      ? InputsOf<O>
      : { [G in Group]?: InputsOf<O> }
    : never;

/** The object that sets the options of these sets in code. `Set`: a union of sets. */
export type OptionsInput<Set extends OptionSet> = Merge<InputOf<Set>>;
