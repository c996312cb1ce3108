import { redacted } from "./sensitive-names.ts";
import { endOfText } from "./stack-frames.ts";

/**
 * Removes the values that databases, validators and Node quote in their error messages: the parameters of a query, a
 * duplicate key, text that is not JSON. Such a value can be a password, and has no name that would reveal it. The rest of
 * the message is unchanged. If the end of a value is missing or ambiguous, more is removed rather than less.
 *
 * Every rule takes linear time: it searches the phrase before the value and the last phrase after it.
 *
 * Some phrases are also common in messages of applications, such as `received "…"`. They are searched only in the text
 * of an error: if `isError` is set, or by default if the text looks like one.
 */
export function redactQuotedValues(text: string, isError?: boolean): string {
  if (!mayHaveQuote.test(text) || !mayQuote.test(text)) return text;
  const end = endOfText(text);
  const applied = (isError ?? looksLikeError.test(text)) ? everyRule : rules;
  return applied.reduce((rest, rule) => rule(rest), text.slice(0, end)) + text.slice(end);
}

/** A type of errors, a stack, or a phrase of validators. */
const looksLikeError =
  /(?:Error|Exception)\b|\n {2,8}at |\b(?:[Ii]nvalid|Expected|fails to match)\b|\bexpected (?:an?|to|one|[\w'"`]{1,50},) |\bmust be (?:an?|of|one) /;

/** Characters and words that texts with one of the phrases below contain. */
const mayHaveQuote = /["'`:(]|BigInt|provided value/;
/** Parts of the phrases below. Together, the two expressions exclude most texts. */
const mayQuote =
  /Failed query|Duplicate|[Ii]ncorrect |out of range|to use near|[Ii]nvalid |malformed |not recognized|Key \(|Failing row|matching: |Canonical|not valid JSON|Unexpected token|parse URL|that includes|Cannot convert|[Rr]eceived|\(was |cast from|(?:value|time zone|unit|append:|set:|Headers?:) "|with value|provided value|"path"|Expected |The input |` invocation/;

type Rule = (text: string) => string;

/** Hides everything after a phrase. */
function hideRest(phrase: RegExp): Rule {
  return (text) => {
    const start = endOf(phrase, text);
    return start === undefined ? text : text.slice(0, start) + redacted;
  };
}

/** Hides everything between a phrase and the last of the phrases `before`, or to the end of a text that was cut. */
function hideBetween(phrase: RegExp, ...before: readonly string[]): Rule {
  return (text) => {
    const start = endOf(phrase, text);
    if (start === undefined) return text;
    const end = Math.max(...before.map((each) => text.lastIndexOf(each)));
    if (end >= start) return text.slice(0, start) + redacted + text.slice(end);
    return isCutAfter(start, text) ? text.slice(0, start) + redacted : text;
  };
}

/** Whether the end of a value is missing: a quotation mark, or the end of the text that contains the value. */
function isCutAfter(start: number, text: string): boolean {
  const mark = text[start];
  return (
    (mark === '"' && !text.includes(mark, start + 1)) || /… \(\d+ more characters\)$/.test(text.slice(-60))
  );
}

/** Applies a rule only to texts that contain `phrase` after `start`. In others, it would search in vain and take long. */
function onlyWith(start: string, phrase: string, rule: Rule): Rule {
  return (text) => {
    const at = text.indexOf(start);
    return at !== -1 && text.includes(phrase, at) ? rule(text) : text;
  };
}

/** The same, or everything if none of the phrases follows. */
function hideUntil(phrase: RegExp, ...before: readonly string[]): Rule {
  const [between, rest] = [hideBetween(phrase, ...before), hideRest(phrase)];
  return (text) => {
    const result = between(text);
    return result === text ? rest(text) : result;
  };
}

/** Hides a value in quotation marks after a phrase, up to the last mark of the same kind. */
function hideQuoted(phrase: RegExp): Rule {
  return (text) => {
    const start = endOf(phrase, text);
    if (start === undefined) return text;
    const end = text.lastIndexOf(text[start]!);
    return text.slice(0, start) + redacted + (end === start ? "" : text.slice(end + 1));
  };
}

function endOf(phrase: RegExp, text: string): number | undefined {
  const match = phrase.exec(text);
  return match === null ? undefined : match.index + match[0].length;
}

/** Drizzle prints the query and then its parameters. */
function hideParameters(text: string): string {
  const query = text.indexOf("Failed query: ");
  const start = query === -1 ? -1 : text.indexOf("params: ", query);
  return start === -1 ? text : `${text.slice(0, start)}params: ${redacted}`;
}

/** Prisma prints the call with its arguments and lines of the source, and then sentences. */
function shortenInvocation(text: string): string {
  const end = endOf(/`[^`\n]{1,200}` invocation/, text);
  if (end === undefined) return text;
  const lines = text.slice(end).split("\n");
  const sentences = lines.slice(lines.findLastIndex((line) => !/^(?:[A-Z].*)?$/.test(line)) + 1);
  return [`${text.slice(0, end)}:`, ...sentences.filter(Boolean)].join("\n");
}

/** The message of Zod is the JSON of its issues, which may contain the rejected values. */
function describeIssues(text: string): string {
  const start = text.search(/\[\s{0,10}\{\s{0,10}"/);
  if (start === -1 || !/"path":\s?\[/.test(text) || !text.includes('"message":')) return text;
  const end = text.lastIndexOf("]") + 1;
  const list = parseJson(text.slice(start, end));
  if (list === undefined) return text.slice(0, start) + redacted;
  if (!Array.isArray(list) || !list.every(isIssue)) return text;
  const issues = list.map(({ path, message }) => [...path, message].map(String).join(": "));
  return text.slice(0, start) + issues.join("; ") + text.slice(end);
}

interface Issue {
  readonly path: readonly unknown[];
  readonly message: string;
}

function isIssue(value: unknown): value is Issue {
  const { path, message } = (value ?? {}) as { path?: unknown; message?: unknown };
  return Array.isArray(path) && typeof message === "string";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const rules: readonly Rule[] = [
  shortenInvocation,
  hideParameters,
  // MySQL and MariaDB
  hideUntil(/\bDuplicate entry (?=')/, " for key "),
  hideUntil(/\bincorrect [\w ()]{1,40}value: (?=')/i, " for column ", " for function "),
  hideRest(/\bvalue is out of range in (?=')/),
  hideRest(/\bright syntax to use near (?=')/),
  // PostgreSQL
  hideRest(/\binvalid (?:input (?:syntax|value)|value) for [^\n:]{1,100}: (?=")/),
  hideRest(/\bmalformed [a-z]{1,20} literal: (?=")/),
  hideRest(/\b(?:value|displacement) out of range: (?=")/),
  hideBetween(/\binvalid value (?=")/, ' for "'),
  hideBetween(/\b(?:value|time zone|unit) (?=")/, " is out of range", " not recognized"),
  onlyWith(
    "Key (",
    ")=(",
    hideUntil(/Key \([\s\S]*?\)=(?=\()/, " already exists", " is not ", " is still ", " conflicts "),
  ),
  hideRest(/\bFailing row contains (?=\()/),
  // TypeORM
  hideRest(/\bCould not find any entity of type [\s\S]{1,200}? matching: /),
  // AWS
  hideRest(/\bThe Canonical String for this request should have been/),
  // Node
  hideUntil(
    /\bUnexpected token '[\s\S]{1,2}', (?:\.\.\.)?(?!"(?:undefined|\[object \w{1,20}\]|<!DOCTYPE "?\.{3}))(?=")/i,
    " is not valid JSON",
  ),
  onlyWith(
    "",
    " is not valid JSON",
    hideBetween(
      /(?:^|: )(?:\.\.\.)?(?!"(?:undefined|\[object \w{1,20}\]|<!DOCTYPE "?\.{3}))(?=")/i,
      " is not valid JSON",
    ),
  ),
  hideRest(/\bFailed to parse URL from /),
  hideRest(/\bURL that includes credentials: /),
  hideBetween(/\b(?:append|set|Headers?): (?=")/i, " is an invalid header value"),
  hideBetween(/\bCannot convert /, " to a BigInt"),
  hideRest(/\bExpected (?:values|inputs|"actual") [^\n:]{1,100}: ?/),
  onlyWith("The input ", " Input:", hideRest(/\bThe input (?:did not|was expected to) [^\n]{1,300} Input:/)),
  // Validators
  describeIssues,
];

const rulesForErrors: readonly Rule[] = [
  hideBetween(/\bprovided value /, " for "),
  hideQuoted(/(?:[,.:(]|\bbut) received:? (?:type string \()?(?=["'`])/i),
  hideQuoted(/\(was (?=["'])/),
  hideQuoted(/\bwith value (?=["'])/),
  hideRest(/\bcast from the value /),
];

const everyRule: readonly Rule[] = [...rules, ...rulesForErrors];
