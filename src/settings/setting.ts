/** What a setting can be set to. It is kept as JSON. */
export type SettingValue = string | number | boolean | readonly string[];

/** What a form for a setting has to know. */
export type SettingKind =
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "number"; readonly unit: string; readonly least: number; readonly most: number }
  | { readonly kind: "switch" }
  /** Paths with `*` in them; at most so many. */
  | { readonly kind: "paths"; readonly most: number };

/** An option that can be changed while the program runs. */
export interface Setting<T extends SettingValue = SettingValue> {
  /** That of the option. */
  readonly name: string;
  /** In one sentence, for people. */
  readonly meaning: string;
  readonly kind: SettingKind;
  /** The option's own parser: throws when the value is not fit. */
  parse(value: unknown): T;
  current(): T;
  /** Makes the value count in this process. */
  apply(value: T): void;
}

const longestPath = 200;

/** Reads a value that somebody wants; throws with what would be right. */
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

/** An option may be anything that is possible; what is typed into a form is held to what is sensible. */
function isWithin(kind: SettingKind, value: SettingValue): boolean {
  if (kind.kind === "number") return Number(value) >= kind.least && Number(value) <= kind.most;
  if (kind.kind !== "paths") return true;
  const paths = value as readonly string[];
  return paths.length <= kind.most && paths.every(({ length }) => length <= longestPath);
}

function describeKind(kind: SettingKind): string {
  switch (kind.kind) {
    case "choice":
      return `one of ${kind.options.join(", ")}`;
    case "number":
      return `a number of ${kind.unit} from ${kind.least} to ${kind.most}`;
    case "switch":
      return "true or false";
    case "paths":
      return `a list of at most ${kind.most} paths such as /blog/*, each of at most ${longestPath} characters`;
  }
}
