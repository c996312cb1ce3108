import type { OptionEffect } from "./effect.ts";

/** Parses a value from code, the environment or a form. The message of a thrown error describes the expected value. */
export type Parse<T> = (value: unknown) => T;

/** Input type of an option that can be changed at run time, for forms. */
export type OptionInput =
  | { readonly kind: "choice"; readonly options: readonly string[] }
  /** The unit is empty for a number without one. */
  | { readonly kind: "number"; readonly unit: string; readonly least: number; readonly most: number }
  | { readonly kind: "switch" }
  /** Paths with `*` wildcards, up to `most`. */
  | { readonly kind: "paths"; readonly most: number }
  /** Texts, up to `most`, such as `example`. */
  | { readonly kind: "lines"; readonly most: number; readonly example: string };

/** What the default of an option may depend on. */
export interface DefaultContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The module that creates the application, if it is known. */
  readonly caller: string | undefined;
  /** The value of an option that is declared before this one. */
  value(name: string): unknown;
  /** The environment variable that set the value of such an option. */
  variableOf(name: string): string | undefined;
}

/** One option: how it is set, checked, described and changed. */
export interface Option<Value = unknown, Input = Value> {
  readonly parse: Parse<Value>;
  /** The environment variables of the option. The first one that is set is used. */
  readonly env: readonly string[];
  defaultOf(context: DefaultContext): Value;
  /** The default in words or as code, for the documentation. */
  readonly defaultText: string;
  /** One or two sentences for users, in which `code` is marked. */
  readonly about: string;
  /** What only the documentation adds, in Markdown. */
  readonly more: string;
  /** The type of the value in code, as TypeScript. */
  readonly type: string;
  /** How the option can be changed at run time. Absent if it requires a restart. */
  readonly runtime?: OptionInput;
  /** What a change at run time does to the data. Absent if it does nothing but what `about` says. */
  readonly effect?: OptionEffect;
  /** Shows a value that is not plain data. */
  show?(value: NonNullable<Value>, given: unknown): unknown;
  /** The type of the value in code. It exists only for the type check. */
  readonly input?: Input;
}

interface AboutParts {
  readonly about: string;
  readonly more?: string;
  readonly env?: string | readonly string[];
  readonly effect?: OptionEffect;
}

/** What every kind of option takes. */
export type OptionParts<Value> = AboutParts &
  (
    | { readonly default: Value; readonly defaultText?: string }
    | { defaultFrom(context: DefaultContext): Value; readonly defaultText: string }
  );

type CustomParts<Value> = OptionParts<Value> & {
  readonly parse: Parse<Value>;
  readonly type: string;
  readonly runtime?: OptionInput;
  show?(value: NonNullable<Value>, given: unknown): unknown;
};

interface NumberParts {
  /** Default: any number greater than 0. */
  readonly integer?: { readonly min: number; readonly max: number };
  readonly runtime?: { readonly unit: string; readonly min: number; readonly max: number };
}

/** The kinds of options. */
export const option = {
  /** An option with its own parser. `Input` is the type of the value in code. */
  custom<Value, Input = Value>(parts: CustomParts<Value>): Option<Value, Input> {
    const { about, more = "", env = [], parse, type, runtime, effect, show } = parts;
    const hasDefault = "default" in parts;
    return {
      parse,
      type,
      about,
      more,
      env: typeof env === "string" ? [env] : env,
      defaultOf: hasDefault ? () => parts.default : parts.defaultFrom,
      defaultText: parts.defaultText ?? (hasDefault ? describeDefault(parts.default) : ""),
      ...(runtime && { runtime }),
      ...(effect && { effect }),
      ...(show && { show }),
    };
  },

  number({ integer, runtime, ...parts }: NumberParts & OptionParts<number>): Option<number> {
    return option.custom({
      ...parts,
      type: "number",
      parse: parseNumber(integer),
      ...(runtime && {
        runtime: { kind: "number", unit: runtime.unit, least: runtime.min, most: runtime.max },
      }),
    });
  },

  /** A number without a default. */
  optionalNumber({
    integer,
    ...parts
  }: Pick<NumberParts, "integer"> & AboutParts): Option<number | undefined, number> {
    return option.custom<number | undefined, number>({
      ...parts,
      default: undefined,
      type: "number",
      parse: parseNumber(integer),
    });
  },

  /** True or false. With an environment variable, also `1` and `0`. */
  flag({ runtime, ...parts }: OptionParts<boolean> & { readonly runtime?: boolean }): Option<boolean> {
    return option.custom({
      ...parts,
      type: "boolean",
      parse: parts.env === undefined ? boolean : flag,
      ...(runtime && { runtime: { kind: "switch" } }),
    });
  },

  text(parts: OptionParts<string> & { readonly parse: Parse<string> }): Option<string> {
    return option.custom({ ...parts, type: "string" });
  },

  /** A text without a default. */
  optionalText(
    parts: AboutParts & {
      readonly parse: Parse<string>;
      readonly defaultText?: string;
      show?(value: string): unknown;
    },
  ): Option<string | undefined, string> {
    return option.custom<string | undefined, string>({ ...parts, default: undefined, type: "string" });
  },

  oneOf<T extends string>(
    allowed: readonly T[],
    { runtime, type, ...parts }: OptionParts<T> & { readonly runtime?: boolean; readonly type: string },
  ): Option<T> {
    return option.custom({
      ...parts,
      type,
      parse: oneOf(allowed),
      ...(runtime && { runtime: { kind: "choice", options: allowed } }),
    });
  },

  /** Paths with `*` wildcards. */
  paths({
    runtime,
    ...parts
  }: OptionParts<readonly string[]> & { readonly runtime?: { readonly max: number } }): Option<
    readonly string[],
    string[]
  > {
    return option.custom<readonly string[], string[]>({
      ...parts,
      type: "string[]",
      parse: listOfPaths,
      ...(runtime && { runtime: { kind: "paths", most: runtime.max } }),
    });
  },

  /** Texts with their own parser. In the environment, they are separated by semicolons. */
  lines({
    parseLine,
    runtime,
    ...parts
  }: OptionParts<readonly string[]> & {
    /** Throws an error that describes the expected text. */
    parseLine(line: string): void;
    readonly runtime?: { readonly max: number; readonly example: string };
  }): Option<readonly string[], string[]> {
    return option.custom<readonly string[], string[]>({
      ...parts,
      type: "string[]",
      parse: listOfLines(parseLine),
      ...(runtime && { runtime: { kind: "lines", most: runtime.max, example: runtime.example } }),
    });
  },

  /** Names or other short texts. */
  names(parts: OptionParts<readonly string[]>): Option<readonly string[], string[]> {
    return option.custom<readonly string[], string[]>({ ...parts, type: "string[]", parse: listOfText });
  },
};

function describeDefault(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export const text =
  (what: string): Parse<string> =>
  (value) => {
    if (typeof value === "string" && value.trim() !== "") return value;
    throw new Error(what);
  };

/** Text that matches a pattern. */
export const textLike =
  (pattern: RegExp, what: string): Parse<string> =>
  (value) => {
    if (typeof value === "string" && pattern.test(value)) return value;
    throw new Error(what);
  };

const wholeNumber =
  (least: number, most: number): Parse<number> =>
  (value) => {
    const number = toNumber(value);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    throw new Error(`an integer from ${least} to ${most}`);
  };

function parseNumber(integer: NumberParts["integer"]): Parse<number> {
  return integer ? wholeNumber(integer.min, integer.max) : positiveNumber;
}

const positiveNumber: Parse<number> = (value) => {
  const number = toNumber(value);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new Error("a number greater than 0");
};

/** Numbers arrive from the environment as text. */
function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

const boolean: Parse<boolean> = (value) => {
  if (typeof value === "boolean") return value;
  throw new Error("true or false");
};

/** Accepts the spellings that are used in environment variables. */
const flag: Parse<boolean> = (value) => {
  if (value === "true" || value === "1") return true;
  return value === "false" || value === "0" ? false : boolean(value);
};

const oneOf =
  <T extends string>(allowed: readonly T[]): Parse<T> =>
  (value) => {
    const found = allowed.find((each) => each === value);
    if (found !== undefined) return found;
    throw new Error(`one of ${allowed.join(", ")}`);
  };

const listOfText: Parse<string[]> = (value) => {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new Error("a list of names");
};

const listOfLines =
  (parseLine: (line: string) => void): Parse<string[]> =>
  (value) => {
    const list = typeof value === "string" ? value.split(";") : value;
    if (!Array.isArray(list) || !list.every((item) => typeof item === "string"))
      throw new Error("a list of texts");
    const lines = list.map((line: string) => line.trim()).filter((line) => line !== "");
    for (const line of lines) parseLine(line);
    return lines;
  };

const listOfPaths: Parse<string[]> = (value) => {
  if (Array.isArray(value) && value.every((item) => typeof item === "string" && /^[/*]/.test(item)))
    return value;
  throw new Error("a list of paths such as /blog/*");
};
