import { createHash } from "node:crypto";
import { networkOf } from "../../lib/network.ts";
import { refuseUnknown } from "../../lib/options/only-known.ts";
import type { RouteNotes } from "../../lib/route-notes.ts";
import { type AlarmClock, systemClock } from "../../lib/time/clock.ts";
import { formatUptime } from "../../lib/time/duration.ts";
import { type Period, parsePeriod } from "../../lib/time/period.ts";
import { RATE_LIMITED } from "../errors/errors.ts";
import type { RequestEvent } from "../event.ts";
import type { Handler, MiddlewareHandler } from "../handler.ts";
import { RateCounter } from "./rate-counter.ts";

/** Options of `rateLimit`. */
export interface RateLimitOptions {
  /** How many requests are allowed in a window. */
  limit: number;
  /** The length of the window: "30s", "1m", "2h" or "1d". It begins with the first request. */
  per?: Period;
  /** The length of the window in milliseconds, instead of `per`. A multiple of 1,000. */
  windowMs?: number;
  /**
   * Which requests are counted together: those of an address, those of a user (`e.auth`), or those for which a function
   * returns the same text. Requests without a user are counted by address. A request for which the function returns
   * `undefined` is not limited. Default "address".
   */
  by?: "address" | "identity" | ((e: RequestEvent) => string | undefined);
  /** The name in the `RateLimit` headers and across instances. Default: derived from the limit and the routes. */
  name?: string;
  /** Maximum number of addresses, users or texts in memory. Default 100,000. */
  maxKeys?: number;
}

/** The state of a rate limit. */
export interface RateLimiter {
  /** The name that was given to it. */
  readonly name: string | undefined;
  readonly limit: number;
  readonly counter: RateCounter;
}

const limiters = new WeakMap<Handler, RateLimiter>();

/** The state of a middleware function, if `rateLimit` created it. */
export function rateLimiterOf(func: Handler): RateLimiter | undefined {
  return limiters.get(func);
}

/**
 * Middleware that refuses requests with `429` when a client has sent too many. All routes it is bound to are counted
 * together. On PostgreSQL, the requests to all instances are.
 *
 * ```ts
 * router.use(rateLimit({ limit: 100, per: "1m" }));
 * router.post("/login", login).bind(rateLimit({ limit: 5, per: "15m" }));
 * ```
 */
export function rateLimit(options: RateLimitOptions): MiddlewareHandler {
  return createRateLimit(options, systemClock);
}

export function createRateLimit(options: RateLimitOptions, clock: AlarmClock): MiddlewareHandler {
  const { limit, windowMs, keyOf, name, maxKeys } = parseOptions(options);
  const counter = new RateCounter({ windowMs, maxKeys, clock });
  const shownName = name ?? `${limit}-per-${formatUptime(windowMs)}`;
  const policy = `"${shownName}";q=${limit};w=${windowMs / 1_000}`;

  function func(e: RequestEvent): unknown {
    const key = keyOf(e);
    if (key === undefined) return e.next();
    const now = clock.elapsed();
    const tally = counter.find(key, now);
    const isOver = tally.count >= limit;
    if (!isOver) counter.add(tally);
    const seconds = Math.ceil((tally.endsAt - now) / 1_000);
    setHeaders(e, policy, `"${shownName}";r=${Math.max(0, limit - tally.count)};t=${seconds}`);
    if (isOver) throw RATE_LIMITED.with({ headers: { "Retry-After": String(seconds) } }, seconds);
    return e.next();
  }

  limiters.set(func, { name, limit, counter });
  return {
    // Runs before guards, so that refused requests are counted, and after cors, so that pages can read the error.
    priority: -1_500,
    documents,
    func,
  };
}

/** Several limits can apply to one request. Then, both headers are lists. */
function setHeaders({ response }: RequestEvent, policy: string, state: string): void {
  const { addedHeaders: before } = response;
  response.addedHeaders =
    before === undefined
      ? { "RateLimit-Policy": policy, RateLimit: state }
      : {
          ...before,
          "RateLimit-Policy": append(before["RateLimit-Policy"], policy),
          RateLimit: append(before.RateLimit, state),
        };
}

function append(list: string | undefined, item: string): string {
  return list === undefined ? item : `${list}, ${item}`;
}

/** Several limits can apply to one route, so the numbers are only in the headers. */
const documents: RouteNotes = {
  responses: {
    429: {
      description: "Too many requests. The RateLimit-Policy header contains the limit.",
      headers: { "Retry-After": "Seconds until the next request is allowed." },
    },
  },
  responseHeaders: {
    RateLimit: "The number of remaining requests (r), and the seconds until the limit is reset (t).",
    "RateLimit-Policy": "The number of allowed requests (q) in a window of seconds (w).",
  },
};

interface ParsedOptions {
  readonly limit: number;
  readonly windowMs: number;
  readonly keyOf: (e: RequestEvent) => string | undefined;
  readonly name: string | undefined;
  readonly maxKeys: number;
}

function parseOptions(options: RateLimitOptions): ParsedOptions {
  const { limit, name, by = "address", maxKeys = 100_000 } = options ?? {};
  refuseUnknown<RateLimitOptions>("rateLimit", options ?? {}, {
    limit: true,
    per: true,
    windowMs: true,
    by: true,
    name: true,
    maxKeys: true,
  });
  if (!isCount(limit)) throw refuse(`limit must be a whole number above 0, got ${String(limit)}`);
  if (!isCount(maxKeys)) throw refuse(`maxKeys must be a whole number above 0, got ${String(maxKeys)}`);
  if (name !== undefined && !/^[\w .:/-]{1,64}$/.test(name)) {
    throw refuse(
      `name must consist of 1 to 64 letters, digits, spaces and _.:/-, got ${JSON.stringify(name)}`,
    );
  }
  return { limit, windowMs: parseWindow(options), keyOf: createKey(by), name, maxKeys };
}

function parseWindow({ per, windowMs }: RateLimitOptions): number {
  if ((per === undefined) === (windowMs === undefined)) {
    throw refuse('pass either per, such as "1m", or windowMs');
  }
  const window = windowMs ?? parsePeriod(String(per));
  if (isCount(window) && window % 1_000 === 0) return window;
  throw per === undefined
    ? refuse(`windowMs must be a multiple of 1000, got ${String(windowMs)}`)
    : refuse(`per must be like "30s", "1m", "2h" or "1d", got ${JSON.stringify(per)}`);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function refuse(problem: string): TypeError {
  return new TypeError(`rateLimit: ${problem}.`);
}

function createKey(by: NonNullable<RateLimitOptions["by"]>): ParsedOptions["keyOf"] {
  if (by === "address") return (e) => networkOf(e.ip);
  if (by === "identity") return (e) => (e.auth ? `user ${shorten(String(e.auth.id))}` : networkOf(e.ip));
  if (typeof by === "function") return (e) => toKey(by(e));
  throw refuse(`by must be "address", "identity" or a function, got ${JSON.stringify(by)}`);
}

function toKey(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw refuse(`by must return a string or undefined, got ${typeof value}`);
  return shorten(value);
}

/** Clients can choose some of the keys, so their length must have a limit. */
function shorten(key: string): string {
  return key.length <= 64 ? key : createHash("sha256").update(key).digest("base64url");
}
