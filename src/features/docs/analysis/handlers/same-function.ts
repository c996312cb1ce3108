import { type Node, parseSync } from "oxc-parser";
import type { FunctionValue } from "../flow/values/value.ts";
import { childrenOf } from "../source/source-file.ts";

/** The running function, as the program shows it. */
export interface RunningText {
  readonly text: string | undefined;
  readonly name?: string | undefined;
}

/**
 * Whether a function in the source is the one that runs. `untransformed` is the running text of the function in the
 * source, if the file runs untransformed. Otherwise the names and constants of both are compared: they survive
 * compilers, bundlers and most minifiers.
 */
export function isSameFunction(
  { node, declared }: FunctionValue,
  running: RunningText,
  untransformed: string | undefined,
): boolean {
  // Bound functions cannot be compared.
  if (running.text === undefined || /\{\s*\[native code\]\s*\}$/.test(running.text)) return true;
  // The text of a method starts with its name, which is not part of the function node.
  if (untransformed !== undefined) return running.text.endsWith(untransformed);
  const names = [node.id?.name, ...declared.map(({ name }) => name)].filter((name) => name !== undefined);
  if (running.name !== undefined && names.length > 0 && isOtherName(running.name, names)) return false;
  const parsed = parseFunction(running.text);
  return parsed !== undefined && resembles(wordsIn(node), wordsIn(parsed));
}

/** Bundlers number duplicate names, and minifiers shorten names. */
function isOtherName(running: string, names: readonly string[]): boolean {
  const bare = running.replace(/\$?\d+$/, "");
  return running.length > 2 && !names.some((name) => name === running || name === bare);
}

/** Parses the result of `toString`: an expression or a method. */
function parseFunction(text: string): Node | undefined {
  for (const whole of [`(${text})`, `({${text}})`, `(class {${text}})`]) {
    const { program, errors } = parseSync("running.js", whole, { lang: "jsx" });
    if (errors.length === 0) return program;
  }
  return undefined;
}

/** The constants and property names in a piece of code. */
function wordsIn(root: Node): Set<string> {
  const words = new Set<string>();
  const visit = (node: Node): void => {
    if (isType(node)) return;
    if (node.type === "Literal") words.add(String("regex" in node && node.regex ? node.raw : node.value));
    else if (node.type === "TemplateElement" && node.value.raw !== "") words.add(node.value.raw);
    else if (node.type === "MemberExpression" && !node.computed && node.property.type === "Identifier")
      words.add(node.property.name);
    else if (node.type === "Property" && !node.computed && node.key.type === "Identifier")
      words.add(node.key.name);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(root);
  return words;
}

/** Types do not exist at run time, but expressions with a type assertion do. */
const isType = ({ type }: Node) =>
  type.startsWith("TS") && !/^TS(As|Satisfies|NonNull|Instantiation|TypeAssertion)/.test(type);

/**
 * Most words of the source occur in the running text. The running text may have more: helpers, counters, constants for
 * names.
 */
function resembles(source: ReadonlySet<string>, running: ReadonlySet<string>): boolean {
  const common = [...source].filter((word) => running.has(word)).length;
  return common >= source.size * 0.7 && common >= running.size * 0.4;
}
