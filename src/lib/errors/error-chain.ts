import { readThrown } from "../redaction/error-fields.ts";
import { type ErrorText, readError, withoutSharedFrames } from "../redaction/error-text.ts";
import { createToPlain } from "../redaction/plain-data.ts";
import { redactQuotedValues } from "../redaction/quoted-values.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { cut, errorsOf, isError, readProperty, toText } from "../thrown.ts";

/** One error of a chain. */
export interface ErrorLink extends ErrorText {
  /** The relation to the previous error: its cause, or one of the errors of an `AggregateError`. */
  readonly relation: "cause" | "error";
}

export interface ErrorChain extends ErrorText {
  /** The causes, nearest first. */
  readonly causes: readonly ErrorLink[];
}

const maxLinks = 20;
/** Limit for all causes together. */
const maxCharacters = 16_000;
const limits = { message: 1_000, stack: 8_000 };

/** Reads a thrown value and its causes, redacted and limited in size. Never throws. */
export function readErrorChain(thrown: unknown, redactor: Redactor): ErrorChain {
  const first = readLink(thrown, redactor);
  const seen = new Set<unknown>([thrown]);
  const causes: ErrorLink[] = [];
  let left = maxCharacters;

  function add(relation: ErrorLink["relation"], value: unknown, before: ErrorText): boolean {
    if (causes.length >= maxLinks || left <= 0) return false;
    const isKnown = typeof value === "object" && value !== null && seen.has(value);
    const link = isKnown ? circular : readLink(value, redactor);
    const stack = cut(withoutSharedFrames(link.stack, before.stack), left);
    left -= stack.length + link.message.length;
    causes.push({ relation, type: link.type, message: link.message, stack });
    if (isKnown) return true;
    seen.add(value);
    return follow(value, link);
  }

  function follow(value: unknown, link: ErrorText): boolean {
    return related(value).every(({ relation, value: next }) => add(relation, next, link));
  }

  const isWhole = follow(thrown, first);
  if (!isWhole)
    causes.push({ relation: "cause", type: "…", message: "More causes were omitted.", stack: "" });
  return { ...first, causes };
}

const circular: ErrorText = { type: "Error", message: "[circular]", stack: "" };

/** The causes and nested errors of an error. */
function related(value: unknown): { relation: ErrorLink["relation"]; value: unknown }[] {
  if (!isError(value)) return [];
  const cause = readProperty(value, "cause");
  const found = cause === undefined ? [] : [{ relation: "cause" as const, value: cause }];
  return [...found, ...errorsOf(value).map((error) => ({ relation: "error" as const, value: error }))];
}

function readLink(value: unknown, redactor: Redactor): ErrorText {
  if (isError(value)) return readError(value, limits, redactor.text);
  return {
    type: typeof value,
    message: redactor.text(redactQuotedValues(cut(describeValue(value, redactor), limits.message), true)),
    stack: "",
  };
}

function describeValue(value: unknown, redactor: Redactor): string {
  if (typeof value !== "object" || value === null) return value === undefined ? "undefined" : toText(value);
  const { value: plain } = createToPlain(redactor)(readThrown(value, redactor.errorFields));
  return typeof plain === "string" ? plain : JSON.stringify(plain);
}

/** Formats an error with its causes, for a terminal. */
export function formatErrorChain(thrown: unknown, redactor: Redactor): string {
  const { causes, ...first } = readErrorChain(thrown, redactor);
  const lines = causes.map((cause) => `Caused by: ${formatLink(cause)}`);
  return [formatLink(first), ...lines].join("\n");
}

/** The type of a value that is not an error says nothing. */
function formatLink({ type, message, stack }: ErrorText): string {
  return stack || (/^[a-z]/.test(type) ? message : `${type}: ${message}`);
}
