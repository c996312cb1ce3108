import { redactQuotedValues } from "./quoted-values.ts";
import { isSensitiveName, isSensitiveParameter, redacted } from "./sensitive-names.ts";

/**
 * Removes credentials from free text: messages, stacks, URLs and job output. Only the credential is replaced, so that
 * the rest of the text remains useful.
 */

export interface TextRules {
  /** Whether a name before `=` or `:` in prose, JSON and inspected objects is sensitive. */
  isSensitiveName(name: string): boolean;
  /** Whether a name in a query, fragment or header is sensitive. There, `key` and `code` alone are sensitive too. */
  isSensitiveParameter(name: string): boolean;
}

const defaultRules: TextRules = { isSensitiveName, isSensitiveParameter };

/** Text without any of these cannot contain a credential. This excludes most texts. */
const suspicious =
  /[=:]|eyJ|-----BEGIN|[a-z]{2,10}[_-][a-zA-Z0-9]|AKIA|AIza|SG\.|\b(?:bearer|basic|negotiate)\s/i;

export function redactText(whole: string, rules: TextRules = defaultRules): string {
  const text = redactQuotedValues(whole);
  if (!suspicious.test(text)) return text;
  if (wholeCredential.test(text)) return redacted;
  const plain = redactTokens(text);
  return /[=:]|%3d/i.test(plain) ? redactNamed(plain, rules) : plain;
}

/** Redacts the value of a header. The text after an authentication scheme is a credential, regardless of the header. */
export function redactHeader(name: string, value: string, rules: TextRules = defaultRules): string {
  if (rules.isSensitiveParameter(name) || schemeFirst.test(value)) return redacted;
  return redactText(value, rules);
}

const schemeFirst = /^\s*(?:bearer|basic|digest|negotiate)\s/i;
const wholeCredential = /^\s*(?:(?:bearer|basic|negotiate)\s+\S+\s*$|digest\s[^=]{1,100}=)/i;

/** JSON Web Tokens, and other text that begins with the base64 form of a JSON object. */
const webToken = /eyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g;
/** Tokens with a documented prefix of their issuer. */
const issuedToken =
  /\b(?:[spr]k[_-](?:live|test|proj|ant)[_-][\w-]{8,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{8,}|npm_\w{30,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|SG\.[\w-]{16,}\.[\w-]{16,})/g;
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}-----|$)/g;
/** A plain word is prose, as in "basic authentication". A token has a digit, an inner capital, a symbol, or is long. */
const schemeInside = /\b(bearer|basic|negotiate)\s+(?![A-Za-z][a-z]{0,19}(?![\w.~+/=-]))[\w.~+/-]{3,}=*/gi;
/** User and password in a URL, or a token in place of the user. */
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

/** A notation for a name and its value. */
interface Notation {
  /** Matches up to the value; global. */
  readonly name: RegExp;
  /** Matches the value at its start; sticky. */
  readonly value: RegExp;
  /** Checks the name only, so that values of harmless names cost nothing. */
  isSecret(match: RegExpExecArray, rules: TextRules): boolean;
}

/** Searches the values of harmless names too, because a URL may contain another one. */
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

/** `?token=t`, `&token=t` (also encoded in another URL), `password=p` in prose and `password = "p"` in files. */
const assignment =
  /(?<=(^|[?&;#\s"'`([{,]|%3f|%26|%23))((?:(?!%3d|%3f|%26|%23)[^=?&;#\s"'`([{,]){1,100})(?:\s{0,3}=\s{0,3}(?=["'])|=|%3d)/gi;
const assignedValue = /(?:(["'])[^"']*["']?|(?:(?!%26|%23)[^&;#\s"'<>])+)/iy;

function isSecretAssignment([, mark, name]: RegExpExecArray, rules: TextRules): boolean {
  const isParameter = /^(?:[?&;#]|%)/.test(mark!);
  return isParameter ? rules.isSensitiveParameter(decode(name!)) : rules.isSensitiveName(name!);
}

/** `Authorization: …` and `Cookie: …` to the end of the line, and one word after the name of any other header. */
const headerName =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|[a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){1,8}):\s{0,3}/gi;
const headerValue = /[^\r\n"'`\\]+/y;

function isSecretHeader([, name]: RegExpExecArray, rules: TextRules): boolean {
  return rules.isSensitiveParameter(name!);
}

/** `"password":"p"` in JSON (also embedded in text), and `password: 'p'` in an inspected object. */
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
