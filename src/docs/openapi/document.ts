import type { EndpointData } from "../registry/endpoint.ts";
import { type Findings, noFindings, type OperationFacts } from "./facts.ts";
import { settleNames } from "./names.ts";
import { createOperation } from "./operation.ts";
import { createOperationIds } from "./operation-ids.ts";
import { documentedPattern } from "./places.ts";
import { pickReferenced } from "./references.ts";
import { Security } from "./security.ts";
import { errorResponses, errorSchema, errorSchemaName } from "./shared-components.ts";
import type { Info, OpenAPIDocument, OperationMethod, PathItem, SecurityScheme, Server } from "./types.ts";

/** What a document tells of its version. An empty text is not told. */
export interface DocumentConfig {
  /** Default "API". */
  readonly title: string;
  /** The version of the document. Default: the label. */
  readonly version: string;
  /** Default "". */
  readonly description: string;
  /** "stable", "testing", "deprecated" or another word. It changes nothing but what is said. Default "stable". */
  readonly status: string;
  readonly contactName: string;
  readonly contactEmail: string;
  readonly contactURL: string;
  readonly licenseName: string;
  readonly licenseURL: string;
  readonly termsOfService: string;
  readonly externalDocsURL: string;
  readonly externalDocsDesc: string;
  /** When a deprecated version goes away: an ISO 8601 date or time. Default "", not known. */
  readonly sunset: string;
  /** How clients prove who they are, by name, as OpenAPI describes it. Default {}: derived from the source. */
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
}

export interface DocumentParts {
  readonly config: DocumentConfig;
  readonly endpoints: readonly EndpointData[];
  /** What the source told, if it has been read. */
  readonly findings?: Findings | undefined;
  /** Whether it says where in the source things are. Default true. */
  readonly showsSources?: boolean | undefined;
  /** Where the API is reached, the first one first. */
  readonly servers: readonly Server[];
  /** Where the version's routes are: `/api/v1`. Default none. */
  readonly prefix?: string | undefined;
  /** The servers without that prefix, if their addresses end with it: paths are then relative to it. */
  readonly roots?: readonly Server[] | undefined;
}

/** The OpenAPI 3.0.3 document of one version. The same parts give the same document, in the same order. */
export function createDocument(parts: DocumentParts): OpenAPIDocument {
  const { config, endpoints, findings = noFindings, servers, showsSources = true } = parts;
  const security = new Security(config.securitySchemes, findings);
  const created = createPaths(parts, security);
  const settled = settleNames(created, findings.schemas, [errorSchemaName], { showsSources });
  const { root: paths, others } = settled;
  const shared = pickReferenced(others, {
    schemas: { [errorSchemaName]: errorSchema },
    responses: errorResponses.components(),
  });
  const components = dropEmpty({
    schemas: sortByName({ ...settled.schemas, ...shared.schemas }),
    responses: sortByName(shared.responses),
    securitySchemes: security.schemes,
  });
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
    ...(parts.findings && { "x-analysis": toAnalysisRecord(endpoints, findings) }),
  };
}

function factsOf({ facts }: Findings, { key }: EndpointData): OperationFacts | undefined {
  return key === undefined ? undefined : facts[key];
}

/** Where nothing was read, nothing is exact. */
function toAnalysisRecord(endpoints: readonly EndpointData[], findings: Findings) {
  const { level, diagnostics } = findings;
  const read = endpoints.filter((endpoint) => factsOf(findings, endpoint) !== undefined).length;
  return {
    level: read === 0 ? "none" : level,
    operations: endpoints.length,
    read,
    diagnostics: diagnostics.length,
  };
}

/** The same without `x-source`, for readers who must not learn how the source is organised. */
export function withoutSources<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutSources) as T;
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "x-source");
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutSources(inner)])) as T;
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

function createPaths(
  { config, endpoints, findings = noFindings, prefix, roots }: DocumentParts,
  security: Security,
) {
  const ids = createOperationIds(endpoints, (endpoint) => factsOf(findings, endpoint)?.name);
  const deprecation = config.status === "deprecated" ? { sunset: config.sunset } : undefined;
  const placeOf = createPlaces(endpoints, prefix, roots);
  const paths: Record<string, PathItem> = {};
  for (const endpoint of sortEndpoints(endpoints)) {
    const place = placeOf(endpoint);
    const item = paths[place.path] ?? (place.servers ? { servers: [...place.servers] } : {});
    item[endpoint.method.toLowerCase() as OperationMethod] = createOperation(endpoint, {
      operationId: ids.get(endpoint)!,
      path: place.path,
      defaultTag: tagOf(relativePath(place.path, prefix) ?? place.path),
      facts: factsOf(findings, endpoint) ?? {},
      deprecation,
      security,
    });
    paths[place.path] = item;
  }
  return paths;
}

interface Place {
  readonly path: string;
  readonly servers?: readonly Server[];
}

/**
 * Where each endpoint stands in the document: below the servers' prefix, or by its whole path at the servers' root. The
 * second is also for one that would take the place of another.
 */
function createPlaces(
  endpoints: readonly EndpointData[],
  prefix: string | undefined,
  roots: readonly Server[] | undefined,
): (endpoint: EndpointData) => Place {
  const shown = ({ path }: EndpointData) => documentedPattern(path);
  const shapeOf = (path: string) => path.replace(/\{[^}]*\}/g, "{}");
  if (!roots) return (endpoint) => ({ path: shown(endpoint) });
  const outside = endpoints.map(shown).filter((path) => relativePath(path, prefix) === undefined);
  const taken = new Set(outside.map(shapeOf));
  return (endpoint) => {
    const path = shown(endpoint);
    const below = relativePath(path, prefix);
    return below !== undefined && !taken.has(shapeOf(below)) ? { path: below } : { path, servers: roots };
  };
}

/** The rest of a path below a prefix; the prefix itself has none. */
function relativePath(path: string, prefix: string | undefined): string | undefined {
  return prefix !== undefined && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

const methodOrder = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function sortEndpoints(endpoints: readonly EndpointData[]): EndpointData[] {
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

function sortByName<T>(named: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(named).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function dropEmpty<T extends Record<string, object>>(parts: T): Partial<T> {
  const filled = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  return Object.fromEntries(filled) as Partial<T>;
}

function compact<T extends Record<string, string>>(texts: T): Partial<T> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")) as Partial<T>;
}
