import type { Endpoint } from "../registry/endpoint.ts";
import { type Analysis, noAnalysis } from "./facts.ts";
import { createOperation } from "./operation.ts";
import { createOperationIds } from "./operation-ids.ts";
import { pickReferenced } from "./references.ts";
import { bearerAuth, errorResponses, errorSchema, errorSchemaName } from "./shared-components.ts";
import type { Info, OpenAPIDocument, OperationMethod, PathItem, Server } from "./types.ts";

/** What a document tells of its version. */
export interface DocumentConfig {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly status: string;
  readonly contactName: string;
  readonly contactEmail: string;
  readonly contactURL: string;
  readonly licenseName: string;
  readonly licenseURL: string;
  readonly termsOfService: string;
  readonly externalDocsURL: string;
  readonly externalDocsDesc: string;
  readonly sunset: string;
}

export interface DocumentParts {
  readonly config: DocumentConfig;
  readonly endpoints: readonly Endpoint[];
  readonly analysis?: Analysis;
  /** Where the API is reached, the first one first. */
  readonly servers: readonly Server[];
}

/** The OpenAPI 3.0.3 document of one version. The same parts give the same document, in the same order. */
export function createDocument({
  config,
  endpoints,
  analysis = noAnalysis,
  servers,
}: DocumentParts): OpenAPIDocument {
  const paths = createPaths({ config, endpoints, analysis, servers });
  const everything = {
    schemas: { ...analysis.schemas, [errorSchemaName]: errorSchema },
    responses: errorResponses.components(),
  };
  const components = {
    ...pickReferenced(paths, everything),
    ...(JSON.stringify(paths).includes('"bearerAuth"') && { securitySchemes: { bearerAuth } }),
  };
  return {
    openapi: "3.0.3",
    info: createInfo(config),
    servers: [...servers],
    ...(Object.keys(paths).length > 0 && { tags: createTags(paths) }),
    paths,
    ...(Object.keys(components).length > 0 && { components }),
    ...(config.externalDocsURL && {
      externalDocs: {
        url: config.externalDocsURL,
        ...(config.externalDocsDesc && { description: config.externalDocsDesc }),
      },
    }),
  };
}

function createInfo(config: DocumentConfig): Info {
  const contact = compact({ name: config.contactName, email: config.contactEmail, url: config.contactURL });
  return {
    title: config.title,
    version: config.version,
    ...compact({ description: config.description, termsOfService: config.termsOfService }),
    ...(Object.keys(contact).length > 0 && { contact }),
    ...(config.licenseName && {
      license: { name: config.licenseName, ...compact({ url: config.licenseURL }) },
    }),
    "x-status": config.status,
    ...compact({ "x-sunset": config.status === "deprecated" ? config.sunset : "" }),
  };
}

function createPaths({
  config,
  endpoints,
  analysis = noAnalysis,
  servers,
}: DocumentParts): Record<string, PathItem> {
  const ids = createOperationIds(endpoints);
  const deprecation = config.status === "deprecated" ? { sunset: config.sunset } : undefined;
  const prefix = pathOf(servers[0]);
  const paths: Record<string, PathItem> = {};
  for (const endpoint of sortEndpoints(endpoints)) {
    const place = placeOf(endpoint, prefix, servers);
    const item = paths[place.path] ?? (place.servers ? { servers: place.servers } : {});
    item[endpoint.method.toLowerCase() as OperationMethod] = createOperation(endpoint, {
      operationId: ids.get(endpoint)!,
      defaultTag: tagOf(place.path),
      facts: analysis.factsOf(endpoint) ?? {},
      deprecation,
    });
    paths[place.path] = item;
  }
  return paths;
}

/** Where the endpoint stands in the document: below the server's own path, or by itself with the server's root. */
function placeOf({ path }: Endpoint, prefix: string, servers: readonly Server[]) {
  const shown = path.replace(/\{([^}]*)\.\.\.\}/g, "{$1}");
  if (prefix === "") return { path: shown };
  if (shown === prefix) return { path: "/" };
  if (shown.startsWith(`${prefix}/`)) return { path: shown.slice(prefix.length) };
  const roots = servers.map(({ url, description }) => ({
    url: url.slice(0, url.length - prefix.length) || "/",
    ...(description !== undefined && { description }),
  }));
  return { path: shown, servers: roots };
}

/** The path of an address, without a slash at its end; addresses may hold a placeholder for the host. */
function pathOf(server: Server | undefined): string {
  const path = /^[a-z]+:\/\/[^/]*(\/.*)?$/i.exec(server?.url ?? "")?.[1] ?? "";
  return path.replace(/\/+$/, "");
}

const methodOrder = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function sortEndpoints(endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.toSorted((one, other) =>
    one.path === other.path
      ? methodOrder.indexOf(one.method) - methodOrder.indexOf(other.method)
      : one.path < other.path
        ? -1
        : 1,
  );
}

/** The first segment that is a name. */
function tagOf(path: string): string {
  return path.split("/").find((segment) => segment !== "" && !segment.startsWith("{")) ?? "default";
}

function createTags(paths: Record<string, PathItem>): { name: string }[] {
  const operations = Object.values(paths).flatMap(({ servers: _, ...item }) => Object.values(item));
  const names = new Set(operations.flatMap(({ tags = [] }) => tags));
  return [...names].sort().map((name) => ({ name }));
}

function compact<T extends Record<string, string>>(texts: T): Partial<T> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")) as Partial<T>;
}
