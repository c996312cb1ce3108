/**
 * One rule for which names carry a secret. The log, the dashboard, exports and API documents all use it, so that a
 * value redacted in one place is not shown in another.
 *
 * Names are matched by shape, not by spelling: `apiKey`, `API_KEY` and `x-api-key` are the same three words to it.
 */

/** Replaces a redacted value. */
export const redacted = "[redacted]";

/** Specific enough to match inside a longer word, as in `userpassword`. */
const fragments =
  /password|passwd|passphrase|passcode|secret|token|cookie|credential|signature|authorization|apikey|session|jwt|csrf|xsrf/;

/** Too short to match inside a longer word: `auth` must not match `author`. */
const words = new Set([
  "auth",
  "pass",
  "pwd",
  "pin",
  "otp",
  "totp",
  "mfa",
  "sid",
  "sig",
  "bearer",
  "assertion",
  "hmac",
]);

/** Words before `key` that make it an identifier and not a secret. */
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

/** Whether a field of this name holds a secret. */
export function isSensitiveName(name: string): boolean {
  const parts = splitWords(name);
  const last = parts.at(-1) ?? "";
  if (parts.length > 1 && measures.has(last)) return false;
  if (fragments.test(parts.join(""))) return true;
  if (parts.some((part) => words.has(part))) return true;
  return isSecretKey(parts);
}

/** Whether a query parameter, header or cookie of this name holds a secret. A bare `key` or `code` does, too. */
export function isSensitiveParameter(name: string): boolean {
  return isSensitiveName(name) || /^(?:key|code)$/i.test(name);
}

/** The rule with names of the application's own added; those match however they are capitalised. */
export function createSensitiveNames(extra: readonly string[]): (name: string) => boolean {
  const own = new Set(extra.map((name) => name.toLowerCase()));
  return (name) => own.has(name.toLowerCase()) || isSensitiveName(name);
}

function isSecretKey(parts: readonly string[]): boolean {
  const last = parts.at(-1);
  if (parts.length < 2 || (last !== "key" && last !== "keys")) return false;
  return !harmlessKeys.has(parts.at(-2)!);
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

/** A credential under any name: what follows an authentication scheme, and JSON Web Tokens. */
const secretValue = /^\s*(?:bearer|basic|digest|negotiate)\s+\S|\beyJ[\w-]{8,}\.[\w-]+/i;
/** One parameter of a query or a fragment. */
const queryParameter = /([?&;#])([^=?&;#\s]{1,100})=([^&;#\s"'<>]+)/g;
/** User and password in an address. */
const userInfo = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#@:]*:[^\s/?#@]+@/gi;

/** The text without credentials: tokens, secret parameters of addresses, and passwords in addresses. */
export function redactText(text: string, isSensitive = isSensitiveParameter): string {
  if (secretValue.test(text)) return redacted;
  if (!/[=@]/.test(text)) return text;
  return text
    .replace(userInfo, `$1${redacted}@`)
    .replace(queryParameter, (whole, mark: string, name: string) =>
      isSensitive(decode(name)) ? `${mark}${name}=${redacted}` : whole,
    );
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
