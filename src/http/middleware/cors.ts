import { refuseUnknown } from "../../lib/options/only-known.ts";
import { isPromiseLike } from "../../lib/promise-like.ts";
import type { RequestEvent } from "../event.ts";
import type { MiddlewareHandler } from "../handler.ts";
import { type AllowedOrigins, parseOrigins } from "./cors-origins.ts";
import { onEarlyError } from "./early-errors.ts";

/** Options of `cors`. */
export interface CorsOptions {
  /**
   * The origins whose pages may read responses: `"*"` for all, one origin such as "https://app.example.com", a regular
   * expression, a list of both, or a function.
   */
  origins: AllowedOrigins;
  /** The methods that pages may use. Default: GET, HEAD, POST, PUT, PATCH and DELETE. */
  methods?: readonly string[];
  /** The request headers that pages may send. Default: all. */
  headers?: readonly string[];
  /** The response headers that pages may read, in addition to the basic ones. Default: none. */
  exposedHeaders?: readonly string[];
  /** Whether pages may send cookies and read the response. Not possible with `origins: "*"`. Default `false`. */
  credentials?: boolean;
  /** How long browsers may reuse the response to a preflight request, in seconds. Default: 5, set by the browser. */
  maxAge?: number;
  /** Whether public pages may call this server in a private network. Default `false`. */
  privateNetwork?: boolean;
}

const usualMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Middleware that lets pages of other origins call the routes of a router. It also applies to error responses,
 * including `404` and `405`.
 *
 * ```ts
 * router.use(cors({ origins: ["https://app.example.com", /^https:\/\/[a-z0-9-]+\.example\.dev$/] }));
 * ```
 */
export function cors(options: CorsOptions): MiddlewareHandler {
  const { isAllowed, isPublic } = parseOrigins(options?.origins);
  checkOptions(options, isPublic);
  const { exposedHeaders = [], credentials = false } = options;
  const exposed = exposedHeaders.join(", ");
  const respondToPreflight = createPreflight(options);

  /** Sets the headers that all responses have. Returns whether the origin is allowed. */
  function setHeaders(e: RequestEvent): boolean | Promise<boolean> {
    // Also without an origin, because a cache may serve the response to another page.
    if (!isPublic) e.setHeader("Vary", "Origin");
    const origin = e.header("origin");
    if (origin === undefined) return false;
    const allowed = isAllowed(origin, e);
    return isPromiseLike<boolean>(allowed)
      ? Promise.resolve(allowed).then((isOk) => setAllowed(e, origin, isOk))
      : setAllowed(e, origin, allowed);
  }

  function setAllowed(e: RequestEvent, origin: string, allowed: unknown): boolean {
    if (allowed !== true) return false;
    e.setHeader("Access-Control-Allow-Origin", isPublic ? "*" : origin);
    if (credentials) e.setHeader("Access-Control-Allow-Credentials", "true");
    if (exposed !== "" && !isPreflight(e)) e.setHeader("Access-Control-Expose-Headers", exposed);
    return true;
  }

  const proceed = (e: RequestEvent, isOk: boolean) =>
    isOk && isPreflight(e) ? respondToPreflight(e) : e.next();

  function func(e: RequestEvent): unknown {
    const allowed = setHeaders(e);
    return typeof allowed === "boolean" ? proceed(e, allowed) : allowed.then((isOk) => proceed(e, isOk));
  }

  onEarlyError(func, setHeaders);
  return {
    id: "cors",
    // Runs before all other middleware that can refuse a request, so that pages can read the error.
    priority: -2_000,
    unmatched: true,
    // Only browsers use these headers, so they are not part of the API.
    documents: {},
    func,
  };
}

function isPreflight(e: RequestEvent): boolean {
  return e.method === "OPTIONS" && e.header("access-control-request-method") !== undefined;
}

function createPreflight({ methods = usualMethods, headers, maxAge, privateNetwork }: CorsOptions) {
  const allowedMethods = methods.join(", ");
  const allowedHeaders = headers?.join(", ");
  return (e: RequestEvent): unknown => {
    e.setHeader("Access-Control-Allow-Methods", allowedMethods);
    if (headers === undefined) e.setHeader("Vary", "Access-Control-Request-Headers");
    const asked = allowedHeaders ?? e.header("access-control-request-headers");
    if (asked) e.setHeader("Access-Control-Allow-Headers", asked);
    if (maxAge !== undefined) e.setHeader("Access-Control-Max-Age", maxAge);
    if (privateNetwork && e.header("access-control-request-private-network") === "true") {
      e.setHeader("Access-Control-Allow-Private-Network", "true");
    }
    return e.noContent();
  };
}

const token = /^[\w!#$%&'*+.^`|~-]+$/;

function checkOptions(options: CorsOptions, isPublic: boolean): void {
  const { credentials, maxAge } = options;
  refuseUnknown<CorsOptions>("cors", options, {
    origins: true,
    methods: true,
    headers: true,
    exposedHeaders: true,
    credentials: true,
    maxAge: true,
    privateNetwork: true,
  });
  if (credentials && isPublic) {
    throw new TypeError(
      'cors: credentials cannot be combined with origins "*", because browsers refuse it. List the origins.',
    );
  }
  for (const name of ["methods", "headers", "exposedHeaders"] as const) {
    const list = options[name] ?? [];
    // With credentials, browsers take "*" literally.
    const isValid = Array.isArray(list) && list.every((each) => each !== "*" && token.test(each));
    if (!isValid)
      throw new TypeError(`cors: ${name} must be a list of names, such as ["${examples[name]}"].`);
  }
  if (maxAge !== undefined && (!Number.isSafeInteger(maxAge) || maxAge < 0)) {
    throw new TypeError(`cors: maxAge must be a whole number of seconds, got ${String(maxAge)}.`);
  }
}

const examples = { methods: "PUT", headers: "Authorization", exposedHeaders: "X-Trace-ID" } as const;
