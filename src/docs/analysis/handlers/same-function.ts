import { type Node, parseSync } from "oxc-parser";
import type { FunctionValue } from "../flow/value.ts";
import { childrenOf } from "../source/source-file.ts";

/** The function that runs, as the program shows it. */
export interface RunningText {
  readonly text: string | undefined;
  readonly name?: string | undefined;
}

/**
 * Whether a function in the source is the one that runs. `untransformed` is the text that runs in the place of the
 * one in the source, if the file runs as it is. Otherwise the names and constants in both are compared: they survive a
 * compiler, a bundler and most minifiers.
 */
export function isSameFunction(
  { node, declared }: FunctionValue,
  running: RunningText,
  untransformed: string | undefined,
): boolean {
  // Nothing can be compared with a bound function.
  if (running.text === undefined || /\{\s*\[native code\]\s*\}$/.test(running.text)) return true;
  // A method begins with its name, which is not a part of its function.
  if (untransformed !== undefined) return running.text.endsWith(untransformed);
  const names = [node.id?.name, ...declared.map(({ name }) => name)].filter((name) => name !== undefined);
  if (running.name !== undefined && names.length > 0 && isOtherName(running.name, names)) return false;
  const parsed = parseFunction(running.text);
  return parsed !== undefined && resembles(wordsIn(node), wordsIn(parsed));
}

/** Bundlers number names that occur twice, and minifiers shorten them. */
function isOtherName(running: string, names: readonly string[]): boolean {
  const bare = running.replace(/\$?\d+$/, "");
  return running.length > 2 && !names.some((name) => name === running || name === bare);
}

/** A function as `toString` shows it: an expression, or a method. */
function parseFunction(text: string): Node | undefined {
  for (const whole of [`(${text})`, `({${text}})`, `(class {${text}})`]) {
    const { program, errors } = parseSync("running.js", whole, { lang: "jsx" });
    if (errors.length === 0) return program;
  }
  return undefined;
}

/** The constants, and the names of properties, in a piece of code. */
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

/** Types are not there when the program runs; what is asserted to have a type is. */
const isType = ({ type }: Node) =>
  type.startsWith("TS") && !/^TS(As|Satisfies|NonNull|Instantiation|TypeAssertion)/.test(type);

/** Most of what the source has is in what runs. What runs may have more: helpers, counters, constants for names. */
function resembles(source: ReadonlySet<string>, running: ReadonlySet<string>): boolean {
  const common = [...source].filter((word) => running.has(word)).length;
  return common >= source.size * 0.7 && common >= running.size * 0.4;
}
