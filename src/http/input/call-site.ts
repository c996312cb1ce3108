import { readFileSync } from "node:fs";
import { findOwnLocations } from "../../lib/errors/own-frame.ts";
import type { SourceLocation } from "../../lib/source/source-location.ts";
import { readProperty, toText } from "../../lib/thrown.ts";
import { argumentsAt, blankTexts, declaredValue, offsetOf } from "./source-text.ts";

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
    const code = blankTexts(readFileSync(file, "utf8"));
    const offset = offsetOf(code, line, column);
    const before = code.slice(0, offset);
    const values = argumentsAt(code, offset).map((argument) => partOf(argument, before));
    return values.find((value) => value === "body" || value === "query") ?? values.find(Boolean);
  } catch {
    return undefined;
  }
}

/** `parameter` for a name that is not declared in the same scope. */
function partOf(expression: string, before: string): CallArgument {
  if (!/^[A-Za-z_$][\w$]*$/.test(expression)) return formOf(expression, before);
  const value = declaredValue(before, expression);
  return value === undefined ? "parameter" : formOf(value, before);
}

function formOf(expression: string, before: string): RequestPart | undefined {
  if (bodyForm.test(expression)) return "body";
  if (queryForm.test(expression)) return "query";
  return bareQueryForm.test(expression) && isOfEvent(before) ? "query" : undefined;
}

const bodyForm = /^\(?await [\w$.]+\.bindBody(?:<[^()]*>)?\(\)\)?(?: as [^(),]+)?$/;
/** Only the URL of an event is a property named `url`. */
const queryForm = /^Object\.fromEntries\([\w$]+\.url\.searchParams(?:\.entries\(\))?\)$/;
const bareQueryForm = /^Object\.fromEntries\(searchParams(?:\.entries\(\))?\)$/;

/** Whether `searchParams` is destructured from the URL of an event. */
function isOfEvent(before: string): boolean {
  const pattern = "\\{[^{}]*\\bsearchParams\\b[^{}]*\\}\\s*";
  return /^[\w$]+\.url$/.test(declaredValue(before, "searchParams", pattern) ?? "");
}
