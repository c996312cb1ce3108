import { readFileSync } from "node:fs";
import { findOwnLocations } from "../../lib/errors/own-frame.ts";
import type { SourceLocation } from "../../lib/source/source-location.ts";
import { readProperty, toText } from "../../lib/thrown.ts";

/** The parts of a request that code can pass to a validator as a whole. */
export type RequestPart = "body" | "query";

/**
 * The part of the request that is an argument of the call that threw an error: `Note.parse(await e.bindBody())`. The
 * errors of zod do not contain the rejected value, so only the source shows it. If the argument is a parameter of a
 * function, the call of that function decides. The stack names the running file, or its source if stacks are mapped.
 */
export function partInCall(error: object): RequestPart | undefined {
  const stack = toText(readProperty(error, "stack"));
  const message = toText(readProperty(error, "message"));
  for (const location of findOwnLocations(stack, message).slice(0, maxCalls)) {
    const found = readCall(location);
    if (found !== "parameter") return found;
  }
  return undefined;
}

/** Helpers seldom call each other more often. */
const maxCalls = 4;

type CallArgument = RequestPart | "parameter" | undefined;

function readCall(location: SourceLocation): CallArgument {
  const key = `${location.file}:${location.line}:${location.column}`;
  if (known.has(key)) return known.get(key);
  if (known.size >= maxKnown) known.clear();
  const found = findPart(location);
  known.set(key, found);
  return found;
}

/** Results by location. The code of a running program does not change. */
const known = new Map<string, CallArgument>();
const maxKnown = 1_000;

function findPart({ file, line, column }: SourceLocation): CallArgument {
  try {
    const text = readFileSync(file, "utf8");
    const offset = offsetOf(text, line) + column - 1;
    const before = text.slice(0, offset);
    const values = splitArguments(text, offset).map((argument) => partOf(argument, before));
    return values.find((value) => value !== "parameter" && value !== undefined) ?? values.find(Boolean);
  } catch {
    return undefined;
  }
}

const forms: Record<RequestPart, RegExp> = {
  body: /^\(?await [\w$.]+\.bindBody(?:<[^()]*>)?\(\)\)?(?: as [^(),]+)?$/,
  query: /^Object\.fromEntries\((?:[\w$]+\.url\.)?searchParams(?:\.entries\(\))?\)$/,
};

/** The part of the request that an expression is. `parameter` for a name that the code before does not declare. */
function partOf(expression: string, before: string): CallArgument {
  const plain = normalize(expression);
  const part = formOf(plain, before);
  if (part !== undefined || !/^[A-Za-z_$][\w$]*$/.test(plain)) return part;
  const value = lastValueOf(plain, before);
  return value === undefined ? "parameter" : formOf(normalize(value), before);
}

function formOf(plain: string, before: string): RequestPart | undefined {
  if (forms.body.test(plain)) return "body";
  if (!forms.query.test(plain)) return undefined;
  const isDestructured = /\{[^{}]*\bsearchParams\b[^{}]*\}\s*=\s*[\w$]+\.url\b/.test(before);
  return plain.includes(".url.") || isDestructured ? "query" : undefined;
}

const normalize = (expression: string) =>
  expression
    .trim()
    .replace(/\s+/g, " ")
    .replace(/\s*\.\s*/g, ".");

function offsetOf(text: string, line: number): number {
  let offset = 0;
  for (let index = 1; index < line; index++) offset = text.indexOf("\n", offset) + 1;
  return offset;
}

const maxLength = 1_000;

/** The arguments of the call at an offset, as text. */
function splitArguments(text: string, offset: number): string[] {
  const start = text.indexOf("(", offset) + 1;
  const found: string[] = [];
  let depth = 0;
  let from = start;
  for (let index = start; start > 0 && index < Math.min(text.length, start + maxLength); index++) {
    const character = text[index]!;
    if ("([{".includes(character)) depth++;
    const isEnd = depth === 0 && character === ")";
    if (isEnd || (depth === 0 && character === ",")) {
      found.push(text.slice(from, index));
      from = index + 1;
    }
    if (isEnd) return found;
    if (")]}".includes(character)) depth--;
  }
  return [];
}

/** The expression that a variable was last declared with. */
function lastValueOf(name: string, before: string): string | undefined {
  const escaped = name.replaceAll("$", "\\$");
  const declaration = new RegExp(
    `(?:\\b(?:const|let|var)\\s+|,\\s*)${escaped}\\s*(?::[^=;]*)?=(?![=>])\\s*`,
    "g",
  );
  const last = [...before.matchAll(declaration)].at(-1);
  return last && expressionAt(before, last.index + last[0].length);
}

/** The text up to the end of the expression: a semicolon, a comma or a line that does not continue it. */
function expressionAt(text: string, start: number): string {
  let depth = 0;
  for (let index = start; index < Math.min(text.length, start + maxLength); index++) {
    const character = text[index]!;
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    const isLineEnd = character === "\n" && depth === 0 && !/^\s*\./.test(text.slice(index, index + 200));
    if (depth < 0 || (depth === 0 && (character === ";" || character === ",")) || isLineEnd)
      return text.slice(start, index);
  }
  return text.slice(start, start + maxLength);
}
