import { StartError } from "../../../lib/errors/start-error.ts";
import { typeOf } from "../../../lib/options/only-known.ts";
import { INVALID_VERSION } from "../errors.ts";
import type { APIRegistry, EndpointStats } from "../registry/registry.ts";
import type { APIDocsConfig } from "./config.ts";

/** One version in the manager. */
export interface Version {
  readonly label: string;
  /** The beginning of the paths of its routes: `/api/v1`. */
  readonly prefix: string;
  readonly registry: APIRegistry;
  readonly createdAt: Date;
  config: APIDocsConfig;
  updatedAt: Date;
  /** When the status was last changed, in this process. */
  statusSince: Date;
  /** When the version was deprecated, as all instances know it. Absent until it is stored. */
  deprecatedAt?: Date | undefined;
}

/** The description of a version. */
export interface VersionInfo {
  /** The label. */
  readonly version: string;
  /** The status from the configuration, such as "stable". */
  readonly status: string;
  /** ISO 8601. When the version was registered. */
  readonly createdAt: string;
  /** ISO 8601. When the configuration was last changed. */
  readonly updatedAt: string;
  /**
   * The same as `createdAt`.
   *
   * @deprecated Use `createdAt`.
   */
  readonly created_at: string;
  /**
   * The same as `updatedAt`.
   *
   * @deprecated Use `updatedAt`.
   */
  readonly updated_at: string;
  /** The complete configuration. */
  readonly config: APIDocsConfig;
  /** The numbers of endpoints by method and by authentication. */
  readonly stats: EndpointStats;
  /** The number of endpoints. */
  readonly endpoints: number;
}

const labelPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Reserved: these are routes below /api/docs. */
const taken = ["versions", "debug", "assets"];

export function checkLabel(label: string): string {
  if (typeof label !== "string")
    throw INVALID_VERSION(`expected a string such as "v1", but got ${typeOf(label)}`);
  if (taken.includes(label)) throw INVALID_VERSION(`"${label}" is the name of a route below /api/docs`);
  if (labelPattern.test(label) && !label.includes("..")) return label;
  const rule =
    "use 1 to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit, without two dots in a row";
  throw INVALID_VERSION(`${JSON.stringify(label.slice(0, 80))}; ${rule}`);
}

/** The path of the page that shows a version. Only superusers see a private one, on the dashboard. */
export function pageOf({ label, config }: Pick<Version, "label" | "config">): string {
  return config.publicSwagger
    ? `/api/docs/${label}/swagger`
    : `/_/_/api?version=${encodeURIComponent(label)}`;
}

/** The path prefix of a version's routes. */
export function prefixOf(label: string): string {
  return `/api/${label}`;
}

export function describeVersion({ label, registry, config, ...times }: Version): VersionInfo {
  const createdAt = times.createdAt.toISOString();
  const updatedAt = times.updatedAt.toISOString();
  return {
    version: label,
    status: config.status,
    createdAt,
    updatedAt,
    created_at: createdAt,
    updated_at: updatedAt,
    config,
    stats: registry.stats(),
    endpoints: registry.size,
  };
}

/** Provides versions to the documentation. */
export interface VersionSource {
  find(label: string): Version | undefined;
  getAllVersions(): string[];
  getDefaultVersion(): string | undefined;
  /** The versions whose routes are not registered with a server. */
  listUnserved(): string[];
  registerAllVersionRoutesForDocs(): void;
  /**
   * Calls the listener when a version is registered or its configuration is changed. Returns a function that ends this.
   */
  onChange(listener: (version: Version) => void): () => void;
}

/** A default version can be set before it is registered. It must exist when the application starts. */
export function checkDefaultVersion(versions: VersionSource): void {
  const label = versions.getDefaultVersion();
  if (label === undefined || versions.find(label)) return;
  const others = versions.getAllVersions();
  const choice = others.length > 0 ? `, or set defaultVersion to one of: ${others.join(", ")}` : "";
  throw new StartError(
    "INVALID_OPTION",
    `The default version "${label}" is not registered. Register it with registerVersion${choice}.`,
  );
}
