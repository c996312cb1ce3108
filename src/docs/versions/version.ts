import { INVALID_VERSION } from "../errors.ts";
import type { APIRegistry } from "../registry/registry.ts";
import type { APIDocsConfig } from "./config.ts";

/** One version as the manager keeps it. */
export interface Version {
  readonly label: string;
  /** The beginning of the paths of its routes: `/api/v1`. */
  readonly prefix: string;
  readonly registry: APIRegistry;
  readonly createdAt: Date;
  config: APIDocsConfig;
  updatedAt: Date;
  /** Since when it has the status it has. */
  statusSince: Date;
}

/** What is told of a version, with the contract's names. */
export interface VersionInfo {
  readonly version: string;
  readonly status: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601; when the configuration was last changed. */
  readonly updated_at: string;
  readonly config: APIDocsConfig;
  /** `total`, one per lower-case method, `auth_required` and `auth_none`. */
  readonly stats: Readonly<Record<string, number>>;
  /** How many endpoints there are. */
  readonly endpoints: number;
}

const labelPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** These are routes of their own below /api/docs. */
const taken = ["versions", "debug"];

export function checkLabel(label: string): string {
  const isValid =
    typeof label === "string" && labelPattern.test(label) && !label.includes("..") && !taken.includes(label);
  if (!isValid) throw INVALID_VERSION(String(label));
  return label;
}

/** Where the routes of a version are. */
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

/** Whatever has versions to show. */
export interface VersionSource {
  find(label: string): Version | undefined;
  getAllVersions(): string[];
  getDefaultVersion(): string | undefined;
  registerAllVersionRoutesForDocs(): void;
}
