import type { RequestEvent } from "../event.ts";

type CheckOrigin = (origin: string, e: RequestEvent) => boolean | Promise<boolean>;

/** `"*"`, an origin, a regular expression, a list of both, or a function that decides about an origin. */
export type AllowedOrigins = string | RegExp | readonly (string | RegExp)[] | CheckOrigin;

export interface ParsedOrigins {
  readonly isAllowed: CheckOrigin;
  /** Whether all origins are allowed. */
  readonly isPublic: boolean;
}

/** Throws a `TypeError` if no browser would ever send one of the origins. */
export function parseOrigins(origins: AllowedOrigins): ParsedOrigins {
  if (origins === "*") return { isAllowed: () => true, isPublic: true };
  if (typeof origins === "function") return { isAllowed: origins, isPublic: false };
  const entries: readonly unknown[] = Array.isArray(origins) ? origins : [origins];
  if (entries.length === 0) throw new TypeError("cors: origins is an empty list.");
  const names = new Set<string>();
  const patterns: RegExp[] = [];
  for (const entry of entries) {
    // With these flags, a test would depend on the one before.
    if (entry instanceof RegExp) patterns.push(new RegExp(entry.source, entry.flags.replace(/[gy]/g, "")));
    else names.add(parseOrigin(entry));
  }
  return {
    isAllowed: (origin) => names.has(origin) || patterns.some((pattern) => pattern.test(origin)),
    isPublic: false,
  };
}

function parseOrigin(entry: unknown): string {
  if (entry === "*") throw new TypeError('cors: "*" cannot be part of a list. Write origins: "*".');
  if (typeof entry !== "string") {
    throw new TypeError('cors: origins must be "*", an origin, a RegExp, a list of both, or a function.');
  }
  const written = toOrigin(entry);
  if (written === entry) return entry;
  const advice = written ?? "https://app.example.com";
  throw new TypeError(`cors: "${entry}" is not an origin. Write "${advice}".`);
}

/** The origin as browsers send it: in lower case, without a path and without the default port. */
function toOrigin(entry: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/]/i.test(entry) || !URL.canParse(entry)) return undefined;
  const { protocol, host } = new URL(entry);
  return host === "" ? undefined : `${protocol}//${host}`;
}
