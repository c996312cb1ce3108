import type { OptionEffect } from "../../lib/options/effect.ts";
import type { OptionInput } from "../../lib/options/option.ts";

/** Value of a setting, stored as JSON. */
export type SettingValue = string | number | boolean | readonly string[];

/** An option that can be changed at run time. */
export interface Setting<T extends SettingValue = SettingValue> {
  /** Name of the option. */
  readonly name: string;
  /** One-sentence description for users. */
  readonly meaning: string;
  readonly kind: OptionInput;
  /** What a change does to the data. */
  readonly effect?: OptionEffect | undefined;
  /** The option's parser. Throws if the value is invalid. */
  parse(value: unknown): T;
  current(): T;
  /** Applies the value in this process. */
  apply(value: T): void;
}

const longestLine = 200;

/** Parses a new value. Throws an error that describes the expected value. */
export function parseValue({ parse, kind }: Setting, given: unknown): SettingValue {
  const value = attempt(() => parse(given));
  if (value === undefined || !isWithin(kind, value)) throw new Error(describeKind(kind));
  return value;
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** Options in code accept all possible values; values entered at run time are limited to a sensible range. */
function isWithin(kind: OptionInput, value: SettingValue): boolean {
  if (kind.kind === "number") return Number(value) >= kind.least && Number(value) <= kind.most;
  if (kind.kind !== "paths" && kind.kind !== "lines") return true;
  const lines = value as readonly string[];
  return lines.length <= kind.most && lines.every(({ length }) => length <= longestLine);
}

function describeKind(kind: OptionInput): string {
  switch (kind.kind) {
    case "choice":
      return `one of ${kind.options.join(", ")}`;
    case "number":
      return `a number${kind.unit && ` of ${kind.unit}`} from ${kind.least} to ${kind.most}`;
    case "switch":
      return "true or false";
    case "paths":
      return `a list of at most ${kind.most} paths such as /blog/*, each of at most ${longestLine} characters`;
    case "lines":
      return `a list of at most ${kind.most} lines such as ${kind.example}, each of at most ${longestLine} characters`;
  }
}
