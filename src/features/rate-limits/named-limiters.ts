import { createHash } from "node:crypto";
import { type BoundFunction, type RateLimiter, RouteError, rateLimiterOf } from "../../http/index.ts";

/** A rate limit, with a name that is the same on all instances. */
export interface NamedLimiter extends RateLimiter {
  readonly id: string;
}

/**
 * The rate limits among the middleware. A limit without a name gets one from the first router or route that it is bound
 * to, so that instances with the same routes count together. Throws if two limits have the same name.
 */
export function nameLimiters(middleware: readonly BoundFunction[]): NamedLimiter[] {
  const named = new Map<RateLimiter, NamedLimiter>();
  const taken = new Set<string>();
  for (const { place, func } of middleware) {
    const limiter = rateLimiterOf(func);
    if (!limiter || named.has(limiter)) continue;
    const id = limiter.name === undefined ? deriveId(limiter, place, taken) : `name ${limiter.name}`;
    if (taken.has(id)) throw duplicate(limiter.name);
    taken.add(id);
    named.set(limiter, { ...limiter, id });
  }
  return [...named.values()];
}

/** After a changed limit has been deployed, the old counts do not apply. */
function deriveId({ limit, counter }: RateLimiter, place: string, taken: ReadonlySet<string>): string {
  const base = `place ${place} ${limit} ${counter.windowMs}`;
  for (let number = 1; ; number++) if (!taken.has(`${base} ${number}`)) return `${base} ${number}`;
}

function duplicate(name: string | undefined): RouteError {
  return new RouteError(
    `Two rate limits have the name "${name}". Rename one, or call rateLimit once and bind the result to both.`,
  );
}

/** The key of a count in the database. A digest, so that backups contain neither addresses nor users. */
export function toStoredKey({ id }: NamedLimiter, key: string): string {
  return createHash("sha256").update(`${id}\n${key}`).digest("base64url");
}
