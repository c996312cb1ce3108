/**
 * Decides which names are sensitive. The log, the dashboard, exports and API documents share this rule, so that a value
 * that is redacted in one place is not shown in another.
 *
 * Names are split into words, so spelling does not matter: `apiKey`, `API_KEY` and `api-key` are equal.
 */

/** Replaces a redacted value. */
export const redacted = "[redacted]";

/** Specific enough to match inside a longer word, as in `userpassword`. */
const fragments =
  /password|passwd|pwd|passphrase|passcode|secret|token|cookie|credential|signature|authorization|apikey|session|jwt|csrf|xsrf|cardnumber|creditcard/;

/** Too short to match inside a longer word: `auth` must not match `author`. */
const words = new Set([
  "auth",
  "oauth",
  "oauth2",
  "pass",
  "pin",
  "otp",
  "totp",
  "mfa",
  "sid",
  "sig",
  "bearer",
  "assertion",
  "hmac",
  "cvv",
  "cvc",
]);

/** Words before `key` that make it an identifier rather than a secret. */
const harmlessKeys = new Set([
  "primary",
  "foreign",
  "sort",
  "partition",
  "public",
  "cache",
  "routing",
  "row",
  "unique",
  "index",
  "idempotency",
  "object",
  "translation",
]);

/** Words that only happen to end in `key` or `pass`: `monkey`, `compass`. A name such as `accesskey` is sensitive. */
const harmlessEndings =
  /^(?:(?:mon|tur|don|joc|hoc|whis|lac|flun|hot|tur|smo)keys?|\w*(?:com|by|tres|over|under|sur)pass)$/;

/** A name that ends in one of these describes a secret without containing it, such as `tokenCount`. */
const measures = new Set([
  "count",
  "length",
  "size",
  "ttl",
  "expires",
  "expiry",
  "expiration",
  "type",
  "kind",
  "hours",
  "minutes",
  "seconds",
  "ms",
  "limit",
  "enabled",
  "required",
]);

/** Whether a field with this name contains a secret. */
export function isSensitiveName(name: string): boolean {
  const parts = splitWords(name);
  const last = parts.at(-1) ?? "";
  if (parts.length > 1 && measures.has(last)) return false;
  if (fragments.test(parts.join(""))) return true;
  if (parts.some((part) => words.has(part) || isSecretWord(part))) return true;
  return isSecretKey(parts);
}

/**
 * Whether a query parameter, header or cookie with this name contains a secret. Includes `key`, `code` and `ticket`,
 * and `setup`, the secret of the link that creates the first superuser.
 */
export function isSensitiveParameter(name: string): boolean {
  return isSensitiveName(name) || /^(?:key|code|setup|ticket)$/i.test(name);
}

/**
 * Adds names of the application to the rule. They match as whole words, regardless of case and separators: `iban`
 * matches `customerIban` and `customer_iban`, but not `caliban`.
 */
export function createSensitiveNames(extra: readonly string[]): (name: string) => boolean {
  const exact = new Set(extra.map((name) => name.toLowerCase()));
  const phrases = extra.map(toPhrase).filter((phrase) => phrase !== "  ");
  const joined = new Set(phrases.map((phrase) => phrase.replaceAll(" ", "")));
  return (name) => {
    const lower = name.toLowerCase();
    if (exact.has(lower) || joined.has(lower) || isSensitiveName(name)) return true;
    return phrases.length > 0 && phrases.some((phrase) => toPhrase(name).includes(phrase));
  };
}

function toPhrase(name: string): string {
  return ` ${splitWords(name).join(" ")} `;
}

function isSecretKey(parts: readonly string[]): boolean {
  const last = parts.at(-1);
  if (parts.length < 2 || (last !== "key" && last !== "keys")) return false;
  return !harmlessKeys.has(parts.at(-2)!);
}

/** Matches `accesskey` and `dbpass`, which cannot be split into words. */
function isSecretWord(word: string): boolean {
  const [, start, ending] = /^(.{2,})(keys?|pass)$/.exec(word) ?? [];
  if (start === undefined || harmlessEndings.test(word)) return false;
  return ending === "pass" || !harmlessKeys.has(start);
}

/** `X-Api-Key`, `xApiKey` and `X_API_KEY` are all `x`, `api`, `key`. */
function splitWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
