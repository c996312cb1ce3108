import { redacted } from "./sensitive-names.ts";

/**
 * Removes the values that databases, validators and Node quote in their error messages: the parameters of a query, a
 * duplicate key, text that is not JSON. Such a value can be a password, and has no name that would reveal it. The rest of
 * the message is unchanged. If the end of a value is missing or ambiguous, more is removed rather than less.
 *
 * Every rule takes linear time: it searches the phrase before the value and the last phrase after it.
 */
export function redactQuotedValues(text: string): string {
  if (!mayHaveQuote.test(text) || !mayQuote.test(text)) return text;
  const end = endOfText(text);
  return rules.reduce((rest, rule) => rule(rest), text.slice(0, end)) + text.slice(end);
}

/** Where the text of a stack ends and the frames at its end begin. */
export function endOfText(stack: string): number {
  let end = stack.length;
  for (;;) {
    const start = stack.lastIndexOf("\n", end - 1);
    if (end === 0 || start === -1 || !isFrame.test(stack.slice(start + 1, start + 8))) return end;
    end = start;
  }
}

const isFrame = /^ {4}(?:at |…)/;

/** Characters and words that texts with one of the phrases below contain. */
const mayHaveQuote = /["'`:(]|BigInt|provided value/;
/** Parts of the phrases below. Together, the two expressions exclude most texts. */
const mayQuote =
  /Failed query|Duplicate|[Ii]ncorrect |out of range|to use near|[Ii]nvalid |malformed |not recognized|Key \(|Failing row|matching: |Canonical|not valid JSON|parse URL|that includes|to a BigInt|[Rr]eceived|\(was |cast from|with value|provided value|"path"|Expected |The input |` invocation/;

type Rule = (text: string) => string;

/** Hides everything after a phrase. */
function hideRest(phrase: RegExp): Rule {
  return (text) => {
    const start = endOf(phrase, text);
    return start === undefined ? text : text.slice(0, start) + redacted;
  };
}

/** Hides everything between a phrase and the last of the phrases `before`. */
function hideBetween(phrase: RegExp, ...before: readonly string[]): Rule {
  return (text) => {
    const start = endOf(phrase, text);
    if (start === undefined) return text;
    const end = Math.max(...before.map((each) => text.lastIndexOf(each)));
    return end < start ? text : text.slice(0, start) + redacted + text.slice(end);
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
  hideBetween(/\bprovided value /, " for "),
  // MySQL and MariaDB
  hideUntil(/\bDuplicate entry (?=')/, " for key "),
  hideUntil(/\bincorrect [\w ()]{1,40}value: (?=')/i, " for column ", " for function "),
  hideRest(/\bvalue is out of range in (?=')/),
  hideRest(/\bright syntax to use near (?=')/),
  // PostgreSQL
  hideRest(/\binvalid (?:input (?:syntax|value)|value) for [^\n:]{1,100}: (?=")/),
  hideRest(/\bmalformed [a-z]{1,20} literal: (?=")/),
  hideRest(/\b(?:value|displacement) out of range: (?=")/),
  hideBetween(/\b(?:value|time zone|unit) (?=")/, " is out of range", " not recognized", ' for "'),
  hideUntil(/\bKey \([^=\n]{1,500}\)=(?=\()/, " already exists", " is not ", " is still ", " conflicts "),
  hideRest(/\bFailing row contains (?=\()/),
  // TypeORM
  hideRest(/\bCould not find any entity of type [\s\S]{1,200}? matching: /),
  // AWS
  hideRest(/\bThe Canonical String for this request should have been/),
  // Node
  hideBetween(
    /(?:^|: |\bUnexpected token '[\s\S]{1,2}', )(?:\.\.\.)?(?!"(?:undefined|\[object \w{1,20}\]|<!DOCTYPE "?\.{3}))(?=")/i,
    " is not valid JSON",
  ),
  hideRest(/\bFailed to parse URL from /),
  hideRest(/\bURL that includes credentials: /),
  hideBetween(/\b(?:append|set|Headers?): (?=")/i, " is an invalid header value"),
  hideBetween(/\bCannot convert /, " to a BigInt"),
  hideRest(/\bExpected (?:values|inputs|"actual") [^\n:]{1,100}: ?/),
  hideRest(/\bThe input (?:did not|was expected to) [^\n]{1,300} Input:/),
  // Validators
  describeIssues,
  hideQuoted(/(?:[,.:(]|\bbut) received:? (?:type string \()?(?=["'`])/i),
  hideQuoted(/\(was (?=["'])/),
  hideQuoted(/\bwith value (?=["'])/),
  hideRest(/\bcast from the value /),
];
