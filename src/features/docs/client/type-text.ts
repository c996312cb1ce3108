/** The text of a type. The kind determines where it needs parentheses. */
export interface TypeText {
  readonly text: string;
  readonly kind: "single" | "union" | "intersection";
  /** The members of a union or an intersection. */
  readonly members?: readonly TypeText[];
}

/** The longest union on one line. */
const lineWidth = 90;

export const single = (text: string): TypeText => ({ text, kind: "single" });

export const unknownType = single("unknown");

export function unionOf(types: readonly TypeText[]): TypeText {
  const flat = types.flatMap((type) => (type.kind === "union" ? type.members! : [type]));
  const members = uniqueTypes(flat);
  if (members.some(({ text }) => text === "unknown")) return unknownType;
  const [first, ...others] = members;
  if (first === undefined) return unknownType;
  if (others.length === 0) return first;
  const texts = members.map((member) => parenthesize(member, "union"));
  const line = texts.join(" | ");
  const isShort = line.includes("\n") ? isObjectOrNothing(members) : line.length <= lineWidth;
  const text = isShort ? line : texts.map((each) => `\n  | ${each.replaceAll("\n", "\n    ")}`).join("");
  return { text, kind: "union", members };
}

/** Usual formatters keep `{ … } | null` together, too. */
function isObjectOrNothing([first, ...others]: readonly TypeText[]): boolean {
  return first!.text.startsWith("{") && others.every(({ text }) => text === "null" || text === "undefined");
}

export function intersectionOf(types: readonly TypeText[]): TypeText {
  const members = uniqueTypes(types).filter(({ text }) => text !== "unknown");
  const [first, ...others] = members;
  if (first === undefined) return unknownType;
  if (others.length === 0) return first;
  return {
    text: members.map((member) => parenthesize(member, "intersection")).join(" & "),
    kind: "intersection",
    members,
  };
}

export function arrayOf(type: TypeText): TypeText {
  return single(`${type.kind === "single" ? type.text : wrap(type.text)}[]`);
}

/** A union inside of an intersection needs parentheses, an intersection inside of a union does not. */
function parenthesize({ text, kind }: TypeText, outer: "union" | "intersection"): string {
  return outer === "intersection" && kind === "union" ? wrap(text) : text;
}

/** A union on several lines begins with a line break. */
function wrap(text: string): string {
  return text.startsWith("\n") ? `(${text}\n)` : `(${text})`;
}

function uniqueTypes(types: readonly TypeText[]): TypeText[] {
  return [...new Map(types.map((type) => [type.text, type])).values()];
}
