import type { RequestEvent } from "../event.ts";
import type { MiddlewareHandler } from "../handler.ts";
import { onEarlyError } from "./early-errors.ts";

/** Options of `securityHeaders`. `false` omits a header. */
export interface SecurityHeadersOptions {
  /**
   * `Content-Security-Policy`, as text, or as directives that replace or extend the default ones; `false` removes a
   * directive.
   */
  contentSecurityPolicy?: string | Readonly<Record<string, string | readonly string[] | false>> | false;
  /** `Strict-Transport-Security`, sent only over HTTPS. Default "max-age=31536000; includeSubDomains". */
  strictTransportSecurity?: string | false;
  /** `X-Frame-Options`. Default "SAMEORIGIN". */
  frameOptions?: "DENY" | "SAMEORIGIN" | false;
  /** `Referrer-Policy`. Default "no-referrer". */
  referrerPolicy?: string | false;
  /** `Cross-Origin-Opener-Policy`. Default "same-origin". */
  crossOriginOpenerPolicy?: string | false;
  /** `Cross-Origin-Resource-Policy`. Default "same-origin". Requests that CORS allows are not affected. */
  crossOriginResourcePolicy?: string | false;
  /** `Cross-Origin-Embedder-Policy`. Default `false`. */
  crossOriginEmbedderPolicy?: string | false;
  /** `Permissions-Policy`. Default `false`. */
  permissionsPolicy?: string | false;
  /** `Origin-Agent-Cluster`. Default "?1". */
  originAgentCluster?: string | false;
  /** `X-DNS-Prefetch-Control`. Default "off". */
  dnsPrefetchControl?: string | false;
  /** `X-Download-Options`. Default "noopen". */
  downloadOptions?: string | false;
  /** `X-Permitted-Cross-Domain-Policies`. Default "none". */
  permittedCrossDomainPolicies?: string | false;
  /** `X-XSS-Protection`. Default "0": the filter of old browsers has vulnerabilities of its own. */
  xssProtection?: string | false;
}

type PlainOption = Exclude<keyof SecurityHeadersOptions, "contentSecurityPolicy" | "strictTransportSecurity">;

const plainHeaders: Record<PlainOption, { readonly name: string; readonly value: string | false }> = {
  frameOptions: { name: "X-Frame-Options", value: "SAMEORIGIN" },
  referrerPolicy: { name: "Referrer-Policy", value: "no-referrer" },
  crossOriginOpenerPolicy: { name: "Cross-Origin-Opener-Policy", value: "same-origin" },
  crossOriginResourcePolicy: { name: "Cross-Origin-Resource-Policy", value: "same-origin" },
  crossOriginEmbedderPolicy: { name: "Cross-Origin-Embedder-Policy", value: false },
  permissionsPolicy: { name: "Permissions-Policy", value: false },
  originAgentCluster: { name: "Origin-Agent-Cluster", value: "?1" },
  dnsPrefetchControl: { name: "X-DNS-Prefetch-Control", value: "off" },
  downloadOptions: { name: "X-Download-Options", value: "noopen" },
  permittedCrossDomainPolicies: { name: "X-Permitted-Cross-Domain-Policies", value: "none" },
  xssProtection: { name: "X-XSS-Protection", value: "0" },
};

const transportSecurity = "max-age=31536000; includeSubDomains";

const directives: Readonly<Record<string, string>> = {
  "default-src": "'self'",
  "base-uri": "'self'",
  "font-src": "'self' https: data:",
  "form-action": "'self'",
  "frame-ancestors": "'self'",
  "img-src": "'self' data:",
  "object-src": "'none'",
  "script-src": "'self'",
  "script-src-attr": "'none'",
  "style-src": "'self' https: 'unsafe-inline'",
};

/** Over plain HTTP, it would break pages whose server has no HTTPS. */
const secureDirectives = { ...directives, "upgrade-insecure-requests": "" };

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Middleware that sets the usual security headers, with the defaults of helmet. A handler can override each of them
 * with `e.setHeader`.
 *
 * ```ts
 * router.use(securityHeaders({ contentSecurityPolicy: { "img-src": ["'self'", "https://images.example.com"] } }));
 * ```
 */
export function securityHeaders(options: SecurityHeadersOptions = {}): MiddlewareHandler {
  checkNames(options);
  const plain = listPlain(options);
  const { contentSecurityPolicy: policy = {}, strictTransportSecurity = transportSecurity } = options;
  const overHttp: Headers = toHeaders([
    ...plain,
    ["Content-Security-Policy", formatPolicy(policy, directives)],
  ]);
  const overHttps: Headers = toHeaders([
    ...plain,
    ["Content-Security-Policy", formatPolicy(policy, secureDirectives)],
    ["Strict-Transport-Security", strictTransportSecurity],
  ]);
  const setHeaders = (e: RequestEvent) => {
    for (const [name, value] of e.isSecure ? overHttps : overHttp) e.response.setHeader(name, value);
  };
  const func = (e: RequestEvent) => {
    setHeaders(e);
    return e.next();
  };
  onEarlyError(func, setHeaders);
  return {
    id: "securityHeaders",
    // Runs before middleware that can refuse a request, so that error responses have the headers, too.
    priority: -2_100,
    // Only browsers use these headers, so they are not part of the API.
    documents: {},
    func,
  };
}

function listPlain(options: SecurityHeadersOptions): [name: string, value: string | false][] {
  return (Object.keys(plainHeaders) as PlainOption[]).map((option) => {
    const { name, value } = plainHeaders[option];
    return [name, options[option] ?? value];
  });
}

/** Leaves out headers that are switched off. Throws if a value cannot be sent. */
function toHeaders(entries: readonly (readonly [name: string, value: unknown])[]): Headers {
  return entries.flatMap(([name, value]): Headers => {
    if (value === false) return [];
    if (typeof value !== "string" || !/^[\x20-\x7e]+$/.test(value)) {
      throw new TypeError(`securityHeaders: ${name} must be a text or false, got ${JSON.stringify(value)}.`);
    }
    return [[name, value]];
  });
}

function formatPolicy(
  policy: NonNullable<SecurityHeadersOptions["contentSecurityPolicy"]>,
  defaults: Readonly<Record<string, string>>,
): string | false {
  if (typeof policy !== "object") return policy;
  for (const [name, value] of Object.entries(policy)) checkDirective(name, value);
  return Object.entries({ ...defaults, ...policy })
    .filter(([, value]) => value !== false)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(" ") : value}`.trim())
    .join("; ");
}

function checkDirective(name: string, value: unknown): void {
  const isName = /^[a-z]+(-[a-z]+)*$/.test(name);
  const texts = value === false ? [] : [value].flat();
  if (isName && texts.every((text) => typeof text === "string" && !/[;,]/.test(text))) return;
  throw new TypeError(
    `securityHeaders: the directive ${JSON.stringify(name)} must be like "img-src": ["'self'", "https://images.example.com"].`,
  );
}

function checkNames(options: SecurityHeadersOptions): void {
  const known = ["contentSecurityPolicy", "strictTransportSecurity", ...Object.keys(plainHeaders)];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown) throw new TypeError(`securityHeaders has no option "${unknown}". It has ${known.join(", ")}.`);
}
