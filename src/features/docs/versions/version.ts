import { INVALID_VERSION } from "../errors.ts";
import type { APIRegistry } from "../registry/registry.ts";
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
  /** When the status was last changed. */
  statusSince: Date;
}

/** The description of a version, with the contract's field names. */
export interface VersionInfo {
  /** The label. */
  readonly version: string;
  /** The status from the configuration, such as "stable". */
  readonly status: string;
  /** ISO 8601. When the version was registered. */
  readonly created_at: string;
  /** ISO 8601. When the configuration was last changed. */
  readonly updated_at: string;
  /** The complete configuration. */
  readonly config: APIDocsConfig;
  /** Endpoint counts: `total`, one per lower-case method, `auth_required` and `auth_none`. */
  readonly stats: Readonly<Record<string, number>>;
  /** The number of endpoints. */
  readonly endpoints: number;
}

const labelPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Reserved: these are routes below /api/docs. */
const taken = ["versions", "debug", "assets"];

export function checkLabel(label: string): string {
  const isValid =
    typeof label === "string" && labelPattern.test(label) && !label.includes("..") && !taken.includes(label);
  if (!isValid) throw INVALID_VERSION(String(label));
  return label;
}

/** The path prefix of a version's routes. */
export function prefixOf(label: string): string {
  return `/api/${label}`;
}

export function describeVersion({ label, registry, createdAt, updatedAt, config }: Version): VersionInfo {
  return {
    version: label,
    status: config.status,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
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
  registerAllVersionRoutesForDocs(): void;
}
