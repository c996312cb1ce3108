import type { EndpointData } from "../registry/endpoint.ts";
import type { Findings } from "./facts.ts";
import type { Info, SecurityScheme, Server } from "./types.ts";

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

/** The same without `x-source`, for readers who must not learn how the source is organised. */
export function withoutSources<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutSources) as T;
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "x-source");
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutSources(inner)])) as T;
}

export function createExternalDocs({ externalDocsURL: url, externalDocsDesc: description }: DocumentConfig) {
  return url === "" ? undefined : { url, ...compact({ description }) };
}

export function createInfo(config: DocumentConfig): Info {
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

function compact<T extends Record<string, string>>(texts: T): Partial<T> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")) as Partial<T>;
}
