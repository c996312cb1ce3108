import type { CredentialPlace } from "../auth/schemes.ts";
import type { Body, PreparedRequest } from "../draft/draft.ts";

/**
 * A request as code samples need it. Variables stand for secrets, because samples are likely to be pasted into shared
 * places.
 */
export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  /** Secrets that are query parameters. */
  readonly query: readonly (readonly [name: string, value: Variable])[];
  readonly headers: readonly (readonly [name: string, value: Text])[];
  readonly body?: Body | undefined;
}

/** Literal parts and variables, to be joined. */
export type Text = readonly (string | Variable)[];

export interface Variable {
  /** In upper case, such as "API_KEY". */
  readonly variable: string;
}

export interface SampleParts {
  readonly request: PreparedRequest;
  /** What comes before the path, such as `https://example.com`. */
  readonly origin: string;
  readonly places: readonly CredentialPlace[];
}

export function toSample({ request, origin, places }: SampleParts): SampleRequest {
  const { method, address, headers, body } = request;
  const cookies = cookieText(request, places);
  return {
    method,
    url: origin + address,
    query: placesIn("query", places).map(({ name, variable }) => [name, { variable }] as const),
    headers: [
      ...placesIn("header", places).map(
        ({ name, prefix, variable }) => [name, [prefix, { variable }]] as const,
      ),
      ...(cookies.length > 0 ? [["Cookie", cookies] as const] : []),
      ...headers.map(([name, value]) => [name, [value]] as const),
    ],
    body,
  };
}

function placesIn(place: CredentialPlace["in"], places: readonly CredentialPlace[]): CredentialPlace[] {
  return places.filter((each) => each.in === place);
}

function cookieText({ cookies }: PreparedRequest, places: readonly CredentialPlace[]): Text {
  const pairs: Text[] = [
    ...placesIn("cookie", places).map(({ name, variable }) => [`${name}=`, { variable }]),
    ...cookies.map(([name, value]) => [`${name}=${value}`]),
  ];
  return pairs.flatMap((pair, index) => (index === 0 ? pair : ["; ", ...pair]));
}

/** The names of all variables in a sample. */
export function variablesOf({ query, headers }: SampleRequest): string[] {
  const parts = [...query.map(([, value]) => value), ...headers.flatMap(([, value]) => value)];
  return [...new Set(parts.flatMap((part) => (typeof part === "string" ? [] : part.variable)))];
}

/** How a language writes strings. */
export interface StringSyntax {
  quote(text: string): string;
  read(variable: string): string;
  /** Escapes an expression for a URL. */
  encode(expression: string): string;
  readonly plus: string;
}

export function textCode(text: Text, { quote, read, plus }: StringSyntax): string {
  const parts = text.filter((part) => part !== "");
  return parts.map((part) => (typeof part === "string" ? quote(part) : read(part.variable))).join(plus);
}

export function urlCode({ url, query }: SampleRequest, { quote, read, encode, plus }: StringSyntax): string {
  const secrets = query.flatMap(([name, { variable }], index) => [
    quote(`${index === 0 && !url.includes("?") ? "?" : "&"}${encodeURIComponent(name)}=`),
    encode(read(variable)),
  ]);
  return [quote(url), ...secrets].join(plus);
}

/**
 * The value of a JSON body. Undefined if it is not JSON, or if a program would write it differently, such as a number
 * with more digits than a double has.
 */
export function jsonValue(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const compact = text.replace(/("(?:\\.|[^"\\])*")|\s+/g, "$1");
    return JSON.stringify(value) === compact ? { value } : undefined;
  } catch {
    return undefined;
  }
}
