/**
 * Reads a few forms of code as text. Production does not load a parser, and errors are rare. If in doubt, the functions
 * find nothing.
 */

/** Blanks strings and comments, because they can contain anything that looks like code. */
export function blankTexts(code: string): string {
  return code.replace(stringOrComment, (text) => text.replace(/[^\n]/g, " "));
}

const stringOrComment =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

/** The offset of a location. Lines and columns start at 1. */
export function offsetOf(code: string, line: number, column: number): number {
  let offset = 0;
  for (let index = 1; index < line; index++) offset = code.indexOf("\n", offset) + 1;
  return offset + column - 1;
}

const maxLength = 1_000;

/** The arguments of the call at an offset. */
export function argumentsAt(code: string, offset: number): string[] {
  const found: string[] = [];
  const start = code.indexOf("(", offset) + 1;
  for (let from = start; start > 0 && from < start + maxLength; ) {
    const end = expressionEnd(code, from, "");
    found.push(normalize(code.slice(from, end)));
    if (code[end] !== ",") return code[end] === ")" ? found : [];
    from = end + 1;
  }
  return [];
}

/**
 * The expression that a variable was declared with, if it is in scope at the end of the code. `undefined` without a
 * declaration, and empty if the variable may have another value by then. `pattern` is its declaration as a regular
 * expression.
 */
export function declaredValue(code: string, name: string, pattern = toPattern(name)): string | undefined {
  const declarations = new RegExp(`(?:\\b(?:const|let|var)\\s+|,\\s*)${pattern}=(?![=>])\\s*`, "g");
  for (const { index, 0: found } of [...code.matchAll(declarations)].toReversed()) {
    const start = index + found.length;
    const end = expressionEnd(code, start, ";\n");
    const after = code.slice(end);
    if (isOpen(after)) return isChanged(after, name) ? "" : normalize(code.slice(start, end));
  }
  return undefined;
}

const toPattern = (name: string) => `${escapeName(name)}\\s*(?::[^=;]*)?`;
const escapeName = (name: string) => name.replaceAll("$", "\\$");

/** Whether code assigns to a variable, or has a function with a parameter of that name. */
function isChanged(code: string, name: string): boolean {
  const word = `(?<![.\\w$])${escapeName(name)}(?![\\w$])`;
  const ways = [`${word}\\s*=(?!=)`, `${word}\\s*(?:[,:)][^;{}]*)?=>`, `\\bfunction\\b[^(]*\\([^)]*${word}`];
  return new RegExp(ways.join("|")).test(code);
}

/** Whether the block in which code starts is still open at its end. */
function isOpen(code: string): boolean {
  let depth = 0;
  for (const [brace] of code.matchAll(/[{}]/g)) {
    depth += brace === "{" ? 1 : -1;
    if (depth < 0) return false;
  }
  return true;
}

/** Where an expression ends: at a comma, a closing bracket or one of the given characters outside of brackets. */
function expressionEnd(code: string, start: number, ends: string): number {
  let depth = 0;
  for (let index = start; index < code.length; index++) {
    const character = code[index]!;
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character) && --depth < 0) return index;
    const isEnd = depth === 0 && (character === "," || ends.includes(character));
    // A line that starts with a dot continues the expression.
    if (isEnd && !(character === "\n" && /^\s*\./.test(code.slice(index, index + 200)))) return index;
  }
  return code.length;
}

function normalize(expression: string): string {
  return expression
    .trim()
    .replace(/\s+/g, " ")
    .replace(/\s*\.\s*/g, ".");
}
