import type { Findings } from "../model/facts.ts";
import type { Info, SecurityScheme, Server } from "../model/openapi.ts";
import type { EndpointData } from "../registry/endpoint.ts";

/** The metadata of a version's document. Empty strings are omitted. */
export interface DocumentConfig {
  /** The title of the API. Default "API". */
  readonly title: string;
  /** The version of the document. Default: the label. */
  readonly version: string;
  /** A description in Markdown. Default "". */
  readonly description: string;
  /** "stable", "testing", "deprecated" or another word. "deprecated" also adds response headers. Default "stable". */
  readonly status: string;
  /** The contact for the API. Default "". */
  readonly contactName: string;
  /** The contact's email address. Default "". */
  readonly contactEmail: string;
  /** The contact's URL. Default "". */
  readonly contactURL: string;
  /** The name of the API's license. Default "". */
  readonly licenseName: string;
  /** The URL of the license. Default "". */
  readonly licenseURL: string;
  /** The URL of the terms of service. Default "". */
  readonly termsOfService: string;
  /** The URL of further documentation. Default "". */
  readonly externalDocsURL: string;
  /** The description of that documentation. Default "". */
  readonly externalDocsDesc: string;
  /** When a deprecated version is removed: an ISO 8601 date or time. Default "" (unknown). */
  readonly sunset: string;
  /** The authentication schemes by name, in OpenAPI's format. Default {}: derived from the source. */
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
}

export interface DocumentParts {
  readonly config: DocumentConfig;
  readonly endpoints: readonly EndpointData[];
  /** The findings of the analysis, if the source has been read. */
  readonly findings?: Findings | undefined;
  /** Whether it includes source locations. Default true. */
  readonly showsSources?: boolean | undefined;
  /** The base URLs of the API, the preferred one first. */
  readonly servers: readonly Server[];
  /** The prefix of the version's routes: `/api/v1`. Default none. */
  readonly prefix?: string | undefined;
  /** The servers without that prefix, if their URLs end with it. Paths are then relative to the prefix. */
  readonly roots?: readonly Server[] | undefined;
}

/** The same value without `x-source`, for readers who must not see how the source is organized. */
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
