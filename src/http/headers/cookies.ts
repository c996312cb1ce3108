/** Attributes of a cookie. */
export interface CookieOptions {
  /** How long the browser keeps the cookie, in seconds. Default: until the browser is closed. */
  maxAge?: number;
  /** When the browser deletes the cookie. Prefer `maxAge`, which does not depend on the client's clock. */
  expires?: Date;
  /** The cookie is sent only to paths below this one. Default "/". */
  path?: string;
  /** Also sends the cookie to all subdomains of this domain. Default: only to the host that set it. */
  domain?: string;
  /** Whether scripts in the page cannot read the cookie. Default `true`. */
  httpOnly?: boolean;
  /** Which requests from other sites contain the cookie. Default "lax": only links and redirects to this site. */
  sameSite?: "strict" | "lax" | "none";
  /** Whether the cookie is sent only over HTTPS. Default: whether the request came over HTTPS (`e.isSecure`). */
  secure?: boolean;
  /** Whether an embedded page gets a separate cookie for each top-level site. Requires `secure`. */
  partitioned?: boolean;
}

/** Browsers ignore larger cookies, without a message. */
const maxBytes = 4_096;

const sameSites = { strict: "Strict", lax: "Lax", none: "None" } as const;

/** Finds a cookie in a `Cookie` header, and decodes its value. */
export function findCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return decode(pair.slice(equals + 1).trim());
  }
  return undefined;
}

/** Others may set cookies that are not percent-encoded. Their values are returned as they are. */
function decode(value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * The value of a `Set-Cookie` header. Throws a `TypeError` if a browser would ignore the cookie.
 * @param isSecure Whether the request came over HTTPS.
 */
export function formatCookie(name: string, value: string, options: CookieOptions, isSecure: boolean): string {
  const { maxAge, expires, path = "/", domain, httpOnly = true, sameSite = "lax", partitioned } = options;
  const secure = options.secure ?? isSecure;
  const problem =
    findNameProblem(name) ??
    findValueProblem(name, value) ??
    findAttributeProblem(options) ??
    findSecurityProblem(name, options, secure);
  if (problem) throw new TypeError(`Cookie ${JSON.stringify(name)}: ${problem}`);
  const parts = [
    `${name}=${encodeURIComponent(value)}`,
    `Path=${path}`,
    domain !== undefined && `Domain=${domain}`,
    maxAge !== undefined && `Max-Age=${maxAge}`,
    expires !== undefined && `Expires=${expires.toUTCString()}`,
    httpOnly && "HttpOnly",
    `SameSite=${sameSites[sameSite]}`,
    secure && "Secure",
    partitioned && "Partitioned",
  ];
  return parts.filter(Boolean).join("; ");
}

function findNameProblem(name: string): string | undefined {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return undefined;
  return "the name must consist of letters, digits and !#$%&'*+-.^_`|~.";
}

function findValueProblem(name: string, value: unknown): string | undefined {
  if (typeof value !== "string") return `the value must be a string, got ${typeof value}.`;
  if (!value.isWellFormed()) return "the value contains an unpaired surrogate.";
  const bytes = name.length + encodeURIComponent(value).length;
  if (bytes <= maxBytes) return undefined;
  return `name and value have ${bytes} bytes, but browsers ignore cookies over ${maxBytes}.`;
}

function findAttributeProblem({
  maxAge,
  expires,
  path,
  domain,
  sameSite,
}: CookieOptions): string | undefined {
  if (maxAge !== undefined && !Number.isSafeInteger(maxAge)) {
    return `maxAge must be a whole number of seconds, got ${String(maxAge)}.`;
  }
  if (expires !== undefined && !(expires instanceof Date && Number.isFinite(expires.getTime()))) {
    return "expires must be a valid Date.";
  }
  if (path !== undefined && !/^\/[\x20-\x3a\x3c-\x7e]*$/.test(path)) {
    return `the path must start with "/" and contain no semicolon, got ${JSON.stringify(path)}.`;
  }
  if (domain !== undefined && !/^\.?[a-z\d-]+(\.[a-z\d-]+)*$/i.test(domain)) {
    return `the domain must be a host name, got ${JSON.stringify(domain)}.`;
  }
  if (sameSite !== undefined && !Object.hasOwn(sameSites, sameSite)) {
    return `sameSite must be "strict", "lax" or "none", got ${JSON.stringify(sameSite)}.`;
  }
  return undefined;
}

function findSecurityProblem(name: string, options: CookieOptions, secure: boolean): string | undefined {
  const needsSecure = findSecurePart(name, options);
  if (needsSecure && !secure) {
    return `${needsSecure} requires HTTPS. Behind a proxy that terminates TLS, add it to trustedProxies, or pass secure: true.`;
  }
  const { path = "/", domain } = options;
  if (/^__host-/i.test(name) && (path !== "/" || domain !== undefined)) {
    return 'the prefix __Host- requires the path "/" and no domain.';
  }
  return undefined;
}

/** The part of the cookie that browsers accept only together with `Secure`. */
function findSecurePart(name: string, { sameSite, partitioned }: CookieOptions): string | undefined {
  const [prefix] = /^__(host|secure)-/i.exec(name) ?? [];
  if (prefix) return `the prefix ${prefix}`;
  if (sameSite === "none") return "SameSite=None";
  return partitioned ? "Partitioned" : undefined;
}
