import type {
  Operation as DocumentedOperation,
  Response as DocumentedResponse,
  OpenApiDocument,
  Reference,
  Schema,
} from "../../../../src/features/docs/wire.ts";

/** Lookups in an OpenAPI document. */

/** A document, of which only the paths are needed: a version without documentation has an empty one. */
export type OpenApi = Pick<OpenApiDocument, "paths"> & Partial<OpenApiDocument>;
/** An operation, as far as it is documented. */
export type Operation = Partial<DocumentedOperation>;
export type Response = Partial<DocumentedResponse>;

/** The operations of a version's document by route name, such as `GET /api/v1/todos/{id}`. */
export function operationsOf(document: OpenApi, version: string): ReadonlyMap<string, Operation> {
  const prefix = `/api/${version}`;
  // If the server URL ends with the version's prefix, paths are relative to it.
  const isRelative = document.servers?.[0]?.url.replace(/\/+$/, "").endsWith(prefix) ?? true;
  const found = new Map<string, Operation>();
  for (const [path, { servers, ...methods }] of Object.entries(document.paths)) {
    const whole = servers || !isRelative ? path : prefix + path;
    for (const [method, operation] of Object.entries(methods)) {
      found.set(`${method.toUpperCase()} ${whole}`, operation);
    }
  }
  return found;
}

/**
 * What comes before the routes of a version: the URL of each server, without the prefix that the routes have. The
 * server that the page comes from is the first.
 */
export function originsOf({ servers = [] }: OpenApi, version: string, page: string): string[] {
  const prefix = `/api/${version}`;
  // A document from a file may have URLs with variables, which are not known here.
  const known = servers.filter(({ url }) => !url.includes("{") && URL.canParse(url, page));
  const urls = known.map(({ url }) => new URL(url, page).href.replace(/\/+$/, ""));
  const origins = urls.map((url) => (url.endsWith(prefix) ? url.slice(0, -prefix.length) : url));
  const own = new URL(page).origin;
  const isOwn = (origin: string) => origin === own || origin.startsWith(`${own}/`);
  const sorted = origins.toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
  return sorted.length > 0 ? [...new Set(sorted)] : [own];
}

/** Converts a route to its form in documents: `{rest...}` becomes `{rest}`. */
export function documentedRoute(route: string): string {
  return route.replace(/\{([^}]*)\.\.\.\}/g, "{$1}");
}

/** The last segment of a reference, which is the schema's name. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** Follows references to the schema. */
export function resolveSchema(document: OpenApi, schema: Schema): Schema {
  const all = document.components?.schemas ?? {};
  const seen = new Set<string>();
  let found = schema;
  while (found.$ref !== undefined) {
    const name = nameOf(found.$ref);
    if (seen.has(name) || !Object.hasOwn(all, name)) return {};
    seen.add(name);
    found = all[name]!;
  }
  return found;
}

export function resolveResponse(document: OpenApi, response: Response | Reference): Response {
  if (!("$ref" in response)) return response;
  const all = document.components?.responses ?? {};
  const name = nameOf(response.$ref);
  return Object.hasOwn(all, name) ? all[name]! : {};
}

/** For each schema, the routes that use it in requests or responses, directly or nested. */
export function usersOfSchemas(
  document: OpenApi,
  operations: ReadonlyMap<string, Operation>,
): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const [route, operation] of operations) {
    for (const name of schemasIn(document, operation)) users.set(name, [...(users.get(name) ?? []), route]);
  }
  return users;
}

function schemasIn({ components = {} }: OpenApi, start: unknown): Set<string> {
  const schemas = new Set<string>();
  const seen = new Set<string>();
  const waiting: unknown[] = [start];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null) continue;
    const { $ref } = next as { $ref?: unknown };
    if (typeof $ref !== "string") waiting.push(...Object.values(next));
    else if (!seen.has($ref)) {
      seen.add($ref);
      const name = nameOf($ref);
      const isSchema = $ref.startsWith("#/components/schemas/");
      if (isSchema) schemas.add(name);
      waiting.push((isSchema ? components.schemas : components.responses)?.[name]);
    }
  }
  return schemas;
}
