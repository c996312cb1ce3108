import { typeOf } from "../../../lib/options/only-known.ts";
import { INVALID_DOCS_CONFIG } from "../errors.ts";
import type { DocumentConfig } from "../openapi/document.ts";

/** The configuration of a version: its document's metadata and its visibility. */
export interface APIDocsConfig extends DocumentConfig {
  /** The base URL of the API. A localhost URL means the host of the request. Default "http://localhost:8090". */
  readonly baseURL: string;
  /** Whether the version appears under /api/docs. Its routes work in any case. Default true. */
  readonly enabled: boolean;
  /** Whether the document and the page are public. Default false. */
  readonly publicSwagger: boolean;
  /** Whether requests to all routes are checked against the types of their handlers. Default false. */
  readonly checked: boolean;
  /** When the version was deprecated: an ISO 8601 date or time. Default "": when Annex first saw it as deprecated. */
  readonly deprecatedSince: string;
}

const defaults = {
  title: "API",
  version: "",
  description: "",
  baseURL: "http://localhost:8090",
  enabled: true,
  status: "stable",
  publicSwagger: false,
  checked: false,
  contactName: "",
  contactEmail: "",
  contactURL: "",
  licenseName: "",
  licenseURL: "",
  termsOfService: "",
  externalDocsURL: "",
  externalDocsDesc: "",
  sunset: "",
  deprecatedSince: "",
  securitySchemes: {},
} as const satisfies APIDocsConfig;

const links = ["baseURL", "contactURL", "licenseURL", "termsOfService", "externalDocsURL"] as const;

const dates = ["sunset", "deprecatedSince"] as const;

/** A document without them is not readable. */
const required = ["title", "version"] as const;

/** Validates a configuration and completes it with the values of `base`. */
export function resolveDocsConfig(
  label: string,
  given: Partial<APIDocsConfig> | null | undefined,
  base: APIDocsConfig = { ...defaults, version: label },
): APIDocsConfig {
  if (given !== undefined && given !== null) refuseNoObject(label, given);
  const merged = { ...base, ...withoutUndefined(given ?? {}) };
  const config = { ...merged, baseURL: merged.baseURL === "" ? defaults.baseURL : merged.baseURL };
  for (const [name, value] of Object.entries(config)) refuseWrong(label, name, value);
  if (config.status.trim() === "")
    throw INVALID_DOCS_CONFIG(label, `status is "${config.status}", but must be a word such as stable`);
  for (const name of required) refuseBlank(label, name, config[name]);
  for (const name of links) if (config[name] !== "") refuseNoLink(label, name, config[name]);
  if (/[?#{}]|\/\/[^/]*@/.test(config.baseURL)) {
    throw INVALID_DOCS_CONFIG(
      label,
      `baseURL is "${config.baseURL}", but must not contain a query, fragment, password or {}`,
    );
  }
  for (const name of dates) if (config[name] !== "") refuseNoDate(label, name, config[name]);
  for (const [name, scheme] of Object.entries(config.securitySchemes)) refuseWrongScheme(label, name, scheme);
  return Object.freeze(config);
}

/** The required fields of each scheme type. */
const schemeFields: Readonly<Record<string, readonly string[]>> = {
  http: ["scheme"],
  apiKey: ["in", "name"],
  oauth2: ["flows"],
  openIdConnect: ["openIdConnectUrl"],
};

function refuseWrongScheme(label: string, name: string, scheme: unknown): void {
  const problem = findSchemeProblem(name, (scheme ?? {}) as Record<string, unknown>);
  if (problem) throw INVALID_DOCS_CONFIG(label, `securitySchemes.${name} ${problem}`);
}

function findSchemeProblem(name: string, scheme: Record<string, unknown>): string | undefined {
  if (!/^[\w.-]+$/.test(name)) return "must have a name of letters, digits, dots, dashes and underscores";
  const fields = schemeFields[String(scheme.type)];
  if (!fields) return `must have a type: ${Object.keys(schemeFields).join(", ")}`;
  const missing = fields.find((field) => !scheme[field]);
  if (missing) return `of type ${scheme.type} needs "${missing}"`;
  const isOddPlace = scheme.type === "apiKey" && !["header", "query", "cookie"].includes(String(scheme.in));
  return isOddPlace ? 'is an API key whose "in" must be header, query or cookie' : undefined;
}

function withoutUndefined(given: Partial<APIDocsConfig>): Partial<APIDocsConfig> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function refuseNoObject(label: string, given: unknown): void {
  if (typeof given === "object" && !Array.isArray(given)) return;
  throw INVALID_DOCS_CONFIG(label, `expected an object, but got ${typeOf(given)}`);
}

function refuseBlank(label: string, name: string, value: string): void {
  if (value.trim() !== "") return;
  throw INVALID_DOCS_CONFIG(label, `${name} is "${value}", but must not be empty`);
}

function refuseWrong(label: string, name: string, value: unknown): void {
  if (!Object.hasOwn(defaults, name)) {
    const names = Object.keys(defaults).join(", ");
    throw INVALID_DOCS_CONFIG(label, `unknown field "${name}"; known fields: ${names}`);
  }
  const expected = typeof defaults[name as keyof APIDocsConfig];
  if (typeof value === expected && value !== null && !Array.isArray(value)) return;
  const wanted = { boolean: "true or false", object: "an object" }[expected as string] ?? "a string";
  throw INVALID_DOCS_CONFIG(label, `${name} is ${JSON.stringify(value)}, but must be ${wanted}`);
}

function refuseNoDate(label: string, name: string, value: string): void {
  if (!Number.isNaN(Date.parse(value))) return;
  throw INVALID_DOCS_CONFIG(label, `${name} is "${value}", but must be a date such as 2027-06-30`);
}

function refuseNoLink(label: string, name: string, value: string): void {
  if (URL.canParse(value) && /^https?:/i.test(value)) return;
  throw INVALID_DOCS_CONFIG(
    label,
    `${name} is "${value}", but must be a URL that starts with http:// or https://`,
  );
}
