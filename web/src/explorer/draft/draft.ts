import type { ApiOperation, Parameter, Schema } from "../../../../src/features/docs/wire.ts";

/** A request that the user is editing. */

export interface Draft {
  /** The value of each parameter, by `keyOf`. */
  readonly values: Readonly<Record<string, string>>;
  readonly contentType?: string | undefined;
  /** The body, if it is text. */
  readonly text: string;
  /** The fields of the body, if it is a form; a body that is a single file is the field "". */
  readonly form: Readonly<Record<string, string | File>>;
}

export type Body =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "form"; readonly fields: readonly (readonly [string, string | File])[] }
  | { readonly kind: "parts"; readonly fields: readonly (readonly [string, string | File])[] }
  | { readonly kind: "file"; readonly file: File };

/** The request to send. The URL starts with a slash. */
export interface PreparedRequest {
  readonly method: string;
  readonly address: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly cookies: readonly (readonly [string, string])[];
  readonly body?: Body;
}

export interface Prepared {
  readonly request: PreparedRequest;
  /** Validation messages by parameter key, or "body". */
  readonly problems: Readonly<Record<string, string>>;
}

export function keyOf({ in: place, name }: Pick<Parameter, "in" | "name">): string {
  return `${place} ${name}`;
}

export type BodyKind = "json" | "text" | "form" | "parts" | "file";

export function bodyKindOf(contentType: string): BodyKind {
  const type = contentType.split(";", 1)[0]!.trim();
  if (/[/+]json$/.test(type)) return "json";
  if (type === "multipart/form-data") return "parts";
  if (type === "application/x-www-form-urlencoded") return "form";
  return type.startsWith("text/") || /[/+]xml$/.test(type) ? "text" : "file";
}

/** The documented parameters, and path parameters that are not documented. */
export function parametersOf(path: string, documented: readonly Parameter[] = []): Parameter[] {
  const known = new Set(documented.map(keyOf));
  const undocumented = pathNames(path).filter((name) => !known.has(keyOf({ in: "path", name })));
  return [
    ...undocumented.map(
      (name) => ({ name, in: "path", required: true, schema: { type: "string" } }) as const,
    ),
    ...documented,
  ];
}

function pathNames(path: string): string[] {
  return [...path.matchAll(/\{([^}]*?)(?:\.\.\.)?\}/g)].map(([, name]) => name!);
}

export function prepare(
  { method, path }: Pick<ApiOperation, "method" | "path">,
  parameters: readonly Parameter[],
  draft: Draft,
): Prepared {
  const given = parameters.map((parameter) => ({ parameter, value: draft.values[keyOf(parameter)] ?? "" }));
  const sentIn = (place: Parameter["in"]) =>
    given.filter(({ parameter, value }) => parameter.in === place && value !== "");
  const query = new URLSearchParams(
    sentIn("query").flatMap(({ parameter, value }) => queryPairs(parameter, value)),
  ).toString();
  const address = fillPath(path, (name) => draft.values[keyOf({ in: "path", name })] ?? "");
  const body = bodyOf(draft);
  const pairsIn = (place: Parameter["in"]) =>
    sentIn(place).map(({ parameter, value }) => [parameter.name, value] as const);
  return {
    problems: problemsOf(given),
    request: {
      method,
      address: query === "" ? address : `${address}?${query}`,
      headers: [...pairsIn("header"), ...typeHeader(draft, body)],
      cookies: pairsIn("cookie"),
      ...(body && { body }),
    },
  };
}

/** The browser sets the content type of multipart forms, because it chooses the boundary. */
function typeHeader({ contentType }: Draft, body: Body | undefined): (readonly [string, string])[] {
  return contentType === undefined || !body || body.kind === "parts" ? [] : [["Content-Type", contentType]];
}

function problemsOf(
  given: readonly { readonly parameter: Parameter; readonly value: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.flatMap(({ parameter, value }) => {
      const problem = problemOf(parameter, value);
      return problem === undefined ? [] : [[keyOf(parameter), problem]];
    }),
  );
}

function problemOf({ in: place, name, required }: Parameter, value: string): string | undefined {
  if (place === "path" && (value === "." || value === ".."))
    return "A path parameter cannot be . or .. only.";
  return required && value === "" && place !== "cookie" ? `Enter a value for ${name}.` : undefined;
}

/** Path parameters without a value keep their names. */
function fillPath(path: string, read: (name: string) => string): string {
  return path.replace(/\{([^}]*?)(\.\.\.)?\}/g, (whole, name: string, isRest: string | undefined) => {
    const value = read(name);
    if (value === "") return whole;
    return isRest ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value);
  });
}

/** A list is entered with commas and sent as repeated parameters. */
function queryPairs({ name, schema }: Parameter, value: string): [string, string][] {
  if (!isList(schema)) return [[name, value]];
  return value.split(",").map((each) => [name, each.trim()]);
}

export function isList(schema: Schema | undefined): boolean {
  return schema?.type === "array";
}

function bodyOf({ contentType, text, form }: Draft): Body | undefined {
  if (contentType === undefined) return undefined;
  const kind = bodyKindOf(contentType);
  if (kind === "json" || kind === "text") return text === "" ? undefined : { kind: "text", text };
  if (kind === "file") return form[""] instanceof File ? { kind, file: form[""] } : undefined;
  return { kind, fields: Object.entries(form).filter(([, value]) => value !== "") };
}
