import { isSensitiveName, isSensitiveParameter, redacted } from "./sensitive-names.ts";

/**
 * Removes credentials from text that people write and read: messages, stacks, addresses, job output. Only the
 * credential is replaced, so that the rest still explains what happened.
 */

export interface TextRules {
  /** Names before `=` or `:` in prose, JSON and inspected objects. */
  isSensitiveName(name: string): boolean;
  /** Names in a query, a fragment or a header, where a bare `key` or `code` is a secret, too. */
  isSensitiveParameter(name: string): boolean;
}

const defaultRules: TextRules = { isSensitiveName, isSensitiveParameter };

/** Text without any of these cannot contain what the rules below replace. Most texts end here. */
const suspicious =
  /[=:]|eyJ|-----BEGIN|[a-z]{2,10}[_-][a-zA-Z0-9]|AKIA|AIza|SG\.|\b(?:bearer|basic|negotiate)\s/i;

export function redactText(text: string, rules: TextRules = defaultRules): string {
  if (!suspicious.test(text)) return text;
  if (wholeCredential.test(text)) return redacted;
  const plain = redactTokens(text);
  return /[=:]|%3d/i.test(plain) ? redactNamed(plain, rules) : plain;
}

/** The value of a header. What follows an authentication scheme is a credential, whatever the header is called. */
export function redactHeader(name: string, value: string, rules: TextRules = defaultRules): string {
  if (rules.isSensitiveParameter(name) || schemeFirst.test(value)) return redacted;
  return redactText(value, rules);
}

const schemeFirst = /^\s*(?:bearer|basic|digest|negotiate)\s/i;
const wholeCredential = /^\s*(?:(?:bearer|basic|negotiate)\s+\S+\s*$|digest\s[^=]{1,100}=)/i;

/** JSON Web Tokens, and everything else that begins with base64 of a JSON object. */
const webToken = /eyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g;
/** Tokens with a prefix that their issuer documents, so that scanners find them. */
const issuedToken =
  /\b(?:[spr]k[_-](?:live|test|proj|ant)[_-][\w-]{8,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{8,}|npm_\w{30,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|SG\.[\w-]{16,}\.[\w-]{16,})/g;
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}-----|$)/g;
/** A word alone is prose, as in "basic authentication". A token has a digit, a capital inside, a mark, or length. */
const schemeInside = /\b(bearer|basic|negotiate)\s+(?![A-Za-z][a-z]{0,19}(?![\w.~+/=-]))[\w.~+/-]{3,}=*/gi;
/** User and password in an address, or a token in place of the user. */
const userInfo = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)(?:[^\s/?#@:]*:[^\s/?#]+|[^\s/?#@:]{16,})@/gi;

function redactTokens(text: string): string {
  return text
    .replace(webToken, redacted)
    .replace(issuedToken, redacted)
    .replace(privateKey, redacted)
    .replace(schemeInside, `$1 ${redacted}`)
    .replace(userInfo, `$1${redacted}@`);
}

function redactNamed(text: string, rules: TextRules): string {
  const plain = replaceValues(
    text,
    { name: assignment, value: assignedValue, isSecret: isSecretAssignment },
    rules,
  );
  if (!plain.includes(":")) return plain;
  const lines = replaceValues(
    plain,
    { name: headerName, value: headerValue, isSecret: isSecretHeader },
    rules,
  );
  return replaceValues(lines, { name: pairName, value: pairValue, isSecret: isSecretPair }, rules);
}

/** A way to write a name and a value. */
interface Notation {
  /** Matches up to the value; global. */
  readonly name: RegExp;
  /** Matches the value from where it begins; sticky. */
  readonly value: RegExp;
  /** Decides without the value, so that the values of harmless names cost nothing. */
  isSecret(match: RegExpExecArray, rules: TextRules): boolean;
}

/** Looks at the values of harmless names, too: an address may contain another one. */
function replaceValues(text: string, { name, value, isSecret }: Notation, rules: TextRules): string {
  let result = "";
  let end = 0;
  name.lastIndex = 0;
  for (let match = name.exec(text); match !== null; match = name.exec(text)) {
    if (!isSecret(match, rules)) continue;
    value.lastIndex = name.lastIndex;
    const [found, , quote = ""] = value.exec(text) ?? [];
    if (found === undefined) continue;
    result += text.slice(end, name.lastIndex) + quote + redacted + quote;
    end = name.lastIndex + found.length;
    name.lastIndex = end;
  }
  return end === 0 ? text : result + text.slice(end);
}

/** `?token=t`, `&token=t`, also encoded inside another address, `password=p` in prose and `password = "p"` in files. */
const assignment =
  /(?<=(^|[?&;#\s"'`([{,]|%3f|%26|%23))((?:(?!%3d|%3f|%26|%23)[^=?&;#\s"'`([{,]){1,100})(?:\s{0,3}=\s{0,3}(?=["'])|=|%3d)/gi;
const assignedValue = /(?:(["'])[^"']*["']?|(?:(?!%26|%23)[^&;#\s"'<>])+)/iy;

function isSecretAssignment([, mark, name]: RegExpExecArray, rules: TextRules): boolean {
  const isParameter = /^(?:[?&;#]|%)/.test(mark!);
  return isParameter ? rules.isSensitiveParameter(decode(name!)) : rules.isSensitiveName(name!);
}

/** `Authorization: …` and `Cookie: …` up to the end of the line, and one word after any other header's name. */
const headerName =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|[a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){1,8}):\s{0,3}/gi;
const headerValue = /[^\r\n"'`\\]+/y;

function isSecretHeader([, name]: RegExpExecArray, rules: TextRules): boolean {
  return rules.isSensitiveParameter(name!);
}

/** `"password":"p"` in JSON, also inside another text, and `password: 'p'` in an inspected object. */
const pairName =
  /((?:\\{0,3}["'])?)(?<![\w$.-])([\w$.-]{1,100})\1\s{0,3}:\s{0,3}(?=\\{0,3}["'`]|(?<=["']\s{0,3}:\s{0,3})-?\d)/g;
const pairValue = /()(\\{0,3}["'`])(?:\\.|[^\\])*?(?:\2|$)|-?\d[\d.]*/sy;

function isSecretPair([, , name]: RegExpExecArray, rules: TextRules): boolean {
  return rules.isSensitiveName(name!);
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
