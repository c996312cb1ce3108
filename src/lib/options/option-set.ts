import type { Option } from "./option.ts";

export type Options = Readonly<Record<string, Option>>;

/** How users see a group of options. */
export interface OptionGroup<Name extends string = string> {
  /** The first part of the options' names, unless they are flat. */
  readonly name: Name;
  /** The title on the Config page. */
  readonly title: string;
  /** What the options are about, for the comment of their type. */
  readonly about?: string;
  /** The place among the groups. Groups without one are last. */
  readonly order?: number;
}

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
  /** Declared by one of the sets of a group. */
  readonly info?: OptionGroup;
}

/** Declares a group of options: `const group = defineGroup({ name: "cron", title: "Cron" })`. */
export function defineGroup<const Name extends string>(group: OptionGroup<Name>): OptionGroup<Name> {
  return group;
}

/** Declares the options of a group: `defineOptions(group, { timezone: option.text({ … }) })` is `cron.timezone`. */
export function defineOptions<const Group extends string, O extends Options>(
  group: Group | OptionGroup<Group>,
  options: O,
): OptionSet<O, Group, false> {
  return { ...readGroup(group), isFlat: false, options };
}

/** Declares options without a group in their names: `defineFlatOptions(group, { port: … })` is `port`. */
export function defineFlatOptions<const Group extends string, O extends Options>(
  group: Group | OptionGroup<Group>,
  options: O,
): OptionSet<O, Group, true> {
  return { ...readGroup(group), isFlat: true, options };
}

function readGroup<Name extends string>(group: Name | OptionGroup<Name>) {
  return typeof group === "string" ? { group } : { group: group.name, info: group };
}

/** The groups of these sets, in their order. */
export function groupsOf(sets: readonly OptionSet[]): OptionGroup[] {
  return [...new Set(sets.flatMap(({ info }) => info ?? []))];
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
