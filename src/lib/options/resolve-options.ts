import { StartError } from "../errors/start-error.ts";
import type { DefaultContext, Option } from "./option.ts";
import { nameOf, type OptionSet } from "./option-set.ts";
import { isSecret, type OptionEntry, type OptionSource, quoteValue, showValue } from "./show-option.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A checked option with its value at startup. */
export interface ResolvedOption {
  readonly name: string;
  readonly option: Option;
  readonly value: unknown;
  readonly entry: OptionEntry;
}

/** Code overrides the environment, which overrides the default. Throws a `StartError` that names an invalid option. */
export function resolveOptions(
  sets: readonly OptionSet[],
  given: unknown,
  environment: Environment,
  caller?: string,
): ResolvedOption[] {
  refuseUnknown(sets, given);
  const resolved = new Map<string, ResolvedOption>();
  const context = createDefaultContext(environment, resolved, caller);
  for (const set of sets) {
    for (const [key, option] of Object.entries(set.options)) {
      const name = nameOf(set, key);
      const found = findValue(option, readPath(given, name), environment);
      const value =
        found.given === undefined
          ? option.defaultOf(context)
          : parseGiven(found.given, option, placeOf(name, found), isSecret(name));
      resolved.set(name, {
        name,
        option,
        value,
        entry: describe(set.group, name, { option, value, ...found }),
      });
    }
  }
  return [...resolved.values()].map((each) => withDefault(each, context));
}

interface Found {
  readonly given: unknown;
  readonly source: OptionSource;
  /** The environment variable that is set. */
  readonly variable: string | undefined;
}

function findValue({ env }: Option, inCode: unknown, environment: Environment): Found {
  const variable = env.find((each) => environment[each]);
  if (inCode !== undefined && inCode !== null) return { given: inCode, source: "code", variable };
  const given = variable === undefined ? undefined : environment[variable];
  return { given, source: given === undefined ? "default" : "environment", variable };
}

function readPath(given: unknown, name: string): unknown {
  return name.split(".").reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), given);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function placeOf(name: string, { source, variable }: Found): string {
  return source === "code" ? `option "${name}"` : `environment variable ${variable}`;
}

function parseGiven(given: unknown, { parse }: Option, place: string, isHidden: boolean): unknown {
  try {
    return parse(given);
  } catch (error) {
    const got = isHidden ? "" : `, got ${quoteValue(given)}`;
    throw new StartError(
      "INVALID_OPTION",
      `Invalid value for ${place}: expected ${(error as Error).message}${got}.`,
    );
  }
}

function createDefaultContext(
  environment: Environment,
  resolved: ReadonlyMap<string, ResolvedOption>,
  caller: string | undefined,
): DefaultContext {
  return {
    environment,
    caller,
    value: (name) => resolved.get(name)?.value,
    variableOf(name) {
      const { source, variable } = resolved.get(name)?.entry ?? {};
      return source === "environment" ? variable : undefined;
    },
  };
}

function describe(
  group: string,
  name: string,
  { option, value, given, source, variable = option.env[0] }: Found & { option: Option; value: unknown },
): OptionEntry {
  return {
    name,
    group,
    about: option.about.replaceAll("`", ""),
    value: showValue(name, option, value, given),
    source,
    ...(variable !== undefined && { variable }),
    default: null,
  };
}

/** Defaults may depend on other options, so they are determined when all values are known. */
function withDefault(
  { name, option, value, entry }: ResolvedOption,
  context: DefaultContext,
): ResolvedOption {
  const fallback = showValue(name, option, option.defaultOf(context));
  return { name, option, value, entry: { ...entry, default: fallback } };
}

/** A misspelt option would otherwise be ignored silently. */
function refuseUnknown(sets: readonly OptionSet[], given: unknown): void {
  if (given === undefined) return;
  if (!isRecord(given)) {
    throw new StartError("INVALID_OPTION", `createApp expects an options object, got ${quoteValue(given)}.`);
  }
  const groups = Map.groupBy(
    sets.filter(({ isFlat }) => !isFlat),
    ({ group }) => group,
  );
  const flat = sets.filter(({ isFlat }) => isFlat).flatMap(({ options }) => Object.keys(options));
  refuseNames(given, [...flat, ...groups.keys()], "");
  for (const [group, own] of groups) {
    const value = given[group];
    if (value === undefined) continue;
    if (!isRecord(value)) {
      const problem = `Invalid value for option "${group}": expected an object`;
      throw new StartError("INVALID_OPTION", `${problem}, got ${quoteValue(value)}.`);
    }
    refuseNames(
      value,
      own.flatMap(({ options }) => Object.keys(options)),
      `${group}.`,
    );
  }
}

function refuseNames(given: Record<string, unknown>, known: readonly string[], prefix: string): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const names = known.map((each) => prefix + each).join(", ");
  throw new StartError("INVALID_OPTION", `Unknown option "${prefix}${unknown}". Valid options are ${names}.`);
}
