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
  /[=:]|%(?:25){0,4}3[ad]|\s--?[a-z]|^--?[a-z]|eyJ|-----BEGIN|[a-z]{2,10}[_-][a-zA-Z0-9]|AKIA|AIza|SG\.|\b(?:bearer|basic|negotiate)\s/i;

export function redactText(whole: string, rules: TextRules = defaultRules): string {
  const text = redactQuotedValues(whole);
  if (!suspicious.test(text)) return text;
  if (wholeCredential.test(text)) return redacted;
  const plain = redactOptions(redactTokens(text), rules);
  return /[=:]|%(?:25){0,4}3[ad]/i.test(plain) ? redactNamed(plain, rules) : plain;
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
/**
 * User and password in a URL, or a token in place of the user. A password may contain `/`, `?` and `#`, unless it looks
 * like the port of a host.
 */
const userInfo =
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)(?:[^\s/?#@:]*:[^\s/?#]+|[^\s/?#@:["'<>]*:(?!\d{1,5}[/?#])[^\s"'<>]{1,200}|[^\s/?#@:]{16,})@/gi;
/** The same in a URL that is encoded, once or several times, as the parameter of another one. */
const encodedUserInfo =
  /([a-z][a-z0-9+.-]{1,20}(?:%((?:25){0,4})3a(?:%\2(?:2f)|\/){2}|:(?:%2f){2}))(?:(?!%\2(?:2f|3f|23|26))[^\s/?#&"'<>@])+(?:@|(?<=(%\2(?:40))))/gi;
/** The address in a connection string of Go: `ada:p@tcp(db:3306)/annex`. */
const driverAddress = /(?=@(?:tcp6?|unix)\()/;
const longestUserInfo = 300;

function redactTokens(text: string): string {
  const plain = text
    .replace(webToken, redacted)
    .replace(issuedToken, redacted)
    .replace(privateKey, redacted)
    .replace(schemeInside, `$1 ${redacted}`)
    .replace(userInfo, `$1${redacted}@`);
  const decoded = plain.includes("%") ? redactEncodedUserInfo(plain) : plain;
  return decoded.includes("@") ? redactDriverUserInfo(decoded) : decoded;
}

/** Searches the address first, because it is rare. Names before a colon are everywhere. */
function redactDriverUserInfo(text: string): string {
  const parts = text.split(driverAddress);
  const last = parts.pop()!;
  return parts.map(redactPasswordAtEnd).join("") + last;
}

function redactPasswordAtEnd(text: string): string {
  const userInfo = text.slice(-longestUserInfo).replace(/^[\s\S]*[\s/]/, "");
  const end = userInfo.search(/(?<=[\w.-]:)[\s\S]/);
  return end === -1 ? text : text.slice(0, text.length - userInfo.length + end) + redacted;
}

function redactEncodedUserInfo(text: string): string {
  return text.replace(encodedUserInfo, (whole, start, _level, at = "@") =>
    hasSecret(whole.slice(start.length, -at.length)) ? start + redacted + at : whole,
  );
}

/** A short name without a password is only a user. */
function hasSecret(userInfo: string): boolean {
  return /:|%(?:25){0,4}3a/i.test(userInfo) || userInfo.length >= 16;
}

/** `-u ada:p` of curl and similar commands. Two numbers are a user and a group. */
const userOption =
  /(?<=^|\s)((?:-[sSfLkivgGOnNI0-46]{0,8}[uU]|--user|--proxy-user)(?:\s{1,3}|=)["']?[^\s:"']{0,100}:)(?:(?<=["'][^"']{0,100})[^"']+|(?!\/\/|\d+(?:\s|$))[^\s"']+)/g;
/** `curl -uada:p`, and a text of arguments only. Other commands have options that begin with the same letter. */
const curlCommand = /(?:^(?=-\S)|(?:^|[\n;&|$(:"'`/])[ \t]{0,3}curl\s)[^\n]{1,500}/g;
const attachedUser = /(?<=\s|^)(-[uU][^\s:"']{1,100}:)(?!\/\/)[^\s"']+/g;
/** `-p` and `-a` of commands that take a password in this way. */
const passwordOption =
  /(\b(?:sshpass\s{1,3}-p\s{0,3}|(?:redis-cli\s(?:[^\n]{0,300}?\s)?-a|(?:(?:docker|podman)\slogin|mongo(?:sh|dump|restore|import|export)?)\s(?:[^\n,;|&]{0,300}?\s)?-p)\s{1,3}))(?!-)[^\s]+/g;
/**
 * `mysql -u ada -phunter`. In prose, "mysql" can precede a word such as `-prod`. A command begins where a command can
 * begin, or has another option before `-p`.
 */
const attachedPassword =
  /((?:\b(?:mysql|mariadb)[a-z-]{0,20}(?:\s{1,3}[^\s-]\S{0,100})?\s{1,3}-(?!p)[^\n]{0,300}?|(?:^|[\n;&|$(:"'`/])[ \t]{0,3}(?:mysql|mariadb)(?:-?(?:dump|admin|import|check|show)\b[^\n]{0,300}?|(?:\s{1,3}[^\s-]\S{0,100})?))\s{1,3}-p)(?!-)[^\s]+/g;

function redactOptions(text: string, rules: TextRules): string {
  if (!/(?:^|\s)-/.test(text)) return text;
  const plain = text
    .replace(userOption, `$1${redacted}`)
    .replace(curlCommand, (command) => command.replace(attachedUser, `$1${redacted}`))
    .replace(passwordOption, `$1${redacted}`)
    .replace(attachedPassword, `$1${redacted}`);
  return replaceValues(plain, { name: optionName, value: word, isSecret: isSecretOption }, rules);
}

/** `--password p`. The form with `=` is an assignment. */
const optionName = /(?<=^|\s)(--?[a-z][\w-]{0,60})[ \t]{1,3}(?=[^\s-])/gi;

function isSecretOption(match: RegExpExecArray, rules: TextRules): boolean {
  return rules.isSensitiveName(match[1]!) && !isProse(match);
}

function redactNamed(text: string, rules: TextRules): string {
  const assigned = replaceValues(
    text,
    { name: assignment, value: assignedValue, isSecret: isSecretAssignment },
    rules,
  );
  const plain = assigned.includes("%")
    ? replaceValues(
        assigned,
        { name: encodedPairName, value: encodedPairValue, isSecret: isSecretPair },
        rules,
      )
    : assigned;
  if (!plain.includes(":")) return plain;
  const lines = replaceValues(
    plain,
    { name: headerName, value: headerValue, isSecret: isSecretHeader },
    rules,
  );
  const pairs = replaceValues(lines, { name: pairName, value: pairValue, isSecret: isSecretPair }, rules);
  return replaceValues(pairs, { name: noteName, value: word, isSecret: isSecretNote }, rules);
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
  /(?<=(^|[?&;#\s"'`([{,]|%(?:25){0,4}(?:3f|26|23)))((?:(?!%(?:25){0,4}(?:3d|3f|26|23))[^=?&;#\s"'`([{,]){1,100})(?:\s{0,3}=\s{0,3}(?=["'])|=|%(?:25){0,4}3d)/gi;
const assignedValue = /(?:(["'])[^"']*["']?|(?:(?!%(?:25){0,4}(?:26|23))[^&;#\s"'<>])+)/iy;

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

/** The same in the query of a URL, where JSON is encoded, once or several times. */
const encodedPairName =
  /%((?:25){0,4})22([\w$.-]{1,100})%\1(?:22)(?:%\1(?:3a)|:)(?:%\1(?:20)|\+){0,3}(?=%\1(?:22)|-?\d)/gi;
const encodedPairValue =
  /()(%((?:25){0,4})22)(?:%\3(?:5c)(?:%\3[\da-f]{2}|[^&#\s"'<>])|(?!%\3(?:22|5c))[^&#\s"'<>])*(?:\2|)|-?\d[\d.]*/iy;

/** `token: t` in prose and YAML, without quotation marks. */
const noteName =
  /(?<=(?<![\w$.%-])(?<!unexpected )((?:(?:api|access|secret|private|signing) )?keys?|[\w$.-]{1,100})):[ \t]{1,3}(?=[^\s"'`[\](){}<>,;])/gi;
const word = /(?:["'][^"'\n]*["']|[^\s"'`,;()<>[\]{}]+)/y;

function isSecretNote(match: RegExpExecArray, rules: TextRules): boolean {
  return rules.isSensitiveName(match[1]!) && !isProse(match);
}

/** Whether a name is followed by a description or a number of items: `token: expired`, `sessions: 12`. */
function isProse(match: RegExpExecArray): boolean {
  const at = match.index + match[0].length;
  const value = match.input.slice(at, at + 40);
  return prose.test(value) || (/s$/i.test(match[1]!) && /^\d{1,9}(?![^\s,.;)])/.test(value));
}

const prose =
  /^(?:a|an|and|any|are|array|as|at|bad|boolean|by|can|cannot|can't|choose|closed|denied|does|doesn't|empty|enter|expected|expired|expires|failed|false|for|from|has|have|if|in|incorrect|input|invalid|is|malformed|max|maximum|min|minimum|missing|mismatch|must|needs|no|none|not|null|number|object|of|ok|only|or|please|refused|rejected|required|revoked|should|string|that|the|this|to|too|true|unauthorized|undefined|unknown|unrecognized|unsupported|used|valid|value|was|when|will|with|wrong|you|your)(?![\w-])/i;

/** Decodes a name that may be encoded several times. */
function decode(name: string): string {
  for (let result = name; ; ) {
    const next = decodeOnce(result);
    if (next === result) return result;
    result = next;
  }
}

function decodeOnce(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
