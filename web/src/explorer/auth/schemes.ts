import type { SecurityScheme } from "../../../../src/features/docs/wire.ts";
import type { OpenApi, Operation } from "../openapi/document.ts";

/** The security schemes of a document, and where each puts its secret in a request. */

export interface NamedScheme {
  readonly name: string;
  readonly scheme: SecurityScheme;
}

/** Where a secret belongs. In code samples, a variable stands for the secret. */
export interface CredentialPlace {
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
  /** Text before the secret, such as "Bearer ". */
  readonly prefix: string;
  /** The name of an environment variable, such as "API_KEY". */
  readonly variable: string;
}

export interface Credential extends CredentialPlace {
  readonly secret: string;
}

/** The schemes that an operation accepts. If the document does not say which, all of them. */
export function schemesOf({ components }: OpenApi, { security }: Operation): NamedScheme[] {
  const all = components?.securitySchemes ?? {};
  const names = security ? [...new Set(security.flatMap((each) => Object.keys(each)))] : Object.keys(all);
  return names.flatMap((name) => (Object.hasOwn(all, name) ? { name, scheme: all[name]! } : []));
}

/** Whether an operation refuses requests without a credential. */
export function requiresAuth({ security = [] }: Operation): boolean {
  return security.length > 0 && security.every((each) => Object.keys(each).length > 0);
}

export function placeOf({ name, scheme }: NamedScheme): CredentialPlace {
  if (scheme.type === "apiKey")
    return { in: scheme.in, name: scheme.name, prefix: "", variable: variableOf(name) };
  const prefix = scheme.type === "http" ? (prefixes[scheme.scheme.toLowerCase()] ?? scheme.scheme) : "Bearer";
  const variable = isBasic(scheme) ? "BASIC_AUTH" : prefix === "Bearer" ? "TOKEN" : variableOf(name);
  return { in: "header", name: "Authorization", prefix: `${prefix} `, variable };
}

const prefixes: Readonly<Record<string, string>> = { bearer: "Bearer", basic: "Basic" };

export function isBasic(scheme: SecurityScheme): boolean {
  return scheme.type === "http" && scheme.scheme.toLowerCase() === "basic";
}

/** `apiKeyAuth` becomes `API_KEY_AUTH`. */
function variableOf(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").replace(/\W+/g, "_");
  return words.toUpperCase().replace(/^(?=\d)|^_*$/, "CREDENTIAL_");
}

/** What a scheme expects, in a few words. */
export function schemeLabel({ name, scheme }: NamedScheme): string {
  if (scheme.type === "apiKey") return `${scheme.name} in the ${scheme.in}`;
  if (scheme.type === "oauth2") return "OAuth 2 access token";
  if (scheme.type === "openIdConnect") return "OpenID Connect access token";
  if (isBasic(scheme)) return "User name and password";
  return scheme.scheme.toLowerCase() === "bearer" ? "Bearer token" : `${scheme.scheme} credential of ${name}`;
}
