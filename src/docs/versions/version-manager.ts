import { type Router, RouteTable } from "../../http/index.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { NO_ROUTE_REGISTRAR, VERSION_EXISTS, VERSION_IS_DEFAULT, VERSION_UNKNOWN } from "../errors.ts";
import { APIRegistry } from "../registry/registry.ts";
import { type APIDocsConfig, resolveDocsConfig } from "./config.ts";
import { docsOf } from "./server.ts";
import { checkLabel, describeVersion, prefixOf, type Version, type VersionInfo } from "./version.ts";
import { createDocsRouter, createVersionedRouter, type VersionedRouter } from "./versioned-router.ts";

export type RouteRegistrar = (router: VersionedRouter) => void;

export interface APIVersionManagerOptions {
  /** The label of the version that is the default, whichever is registered first. */
  defaultVersion?: string | undefined;
  /** @internal */
  clock?: Clock;
}

/** The versions of an API: each with its own registry, its own configuration, and so its own document. */
export class APIVersionManager {
  private readonly versions = new Map<string, Version>();
  private readonly registrars = new Map<string, RouteRegistrar>();
  private readonly clock: Clock;
  private defaultVersion: string | undefined;

  constructor({ defaultVersion, clock = systemClock }: APIVersionManagerOptions = {}) {
    this.defaultVersion = defaultVersion === undefined ? undefined : checkLabel(defaultVersion);
    this.clock = clock;
  }

  /** Adds a version. Without a configuration it takes the defaults. The first one becomes the default. */
  registerVersion(version: string, config?: Partial<APIDocsConfig> | null): void {
    const label = checkLabel(version);
    // Two labels that differ only in case would share a file on some systems.
    const other = [...this.versions.keys()].find((each) => each.toLowerCase() === label.toLowerCase());
    if (other !== undefined) throw VERSION_EXISTS(other);
    const now = new Date(this.clock.now());
    this.versions.set(label, {
      label,
      prefix: prefixOf(label),
      registry: new APIRegistry(),
      config: resolveDocsConfig(label, config),
      createdAt: now,
      updatedAt: now,
      statusSince: now,
    });
    this.defaultVersion ??= label;
  }

  /** Removes a version from the documentation, with its registry. Routes that are mounted go on. */
  removeVersion(version: string): void {
    const { label } = this.get(version);
    if (label === this.defaultVersion) throw VERSION_IS_DEFAULT(label);
    this.versions.delete(label);
    this.registrars.delete(label);
  }

  getVersionConfig(version: string): APIDocsConfig {
    return this.get(version).config;
  }

  /** Changes what is given of a version's configuration and leaves the rest. */
  updateVersionConfig(version: string, changes: Partial<APIDocsConfig>): void {
    const found = this.get(version);
    const { status } = found.config;
    found.config = resolveDocsConfig(found.label, changes, found.config);
    found.updatedAt = new Date(this.clock.now());
    if (found.config.status !== status) found.statusSince = found.updatedAt;
  }

  getVersionRegistry(version: string): APIRegistry {
    return this.get(version).registry;
  }

  /** Sets the function that registers the version's routes. */
  setVersionRouteRegistrar(version: string, register: RouteRegistrar): void {
    if (typeof register !== "function") throw new TypeError("A route registrar is a function of the router.");
    this.registrars.set(this.get(version).label, register);
  }

  /** Registers the routes of all versions with the server and with their documentation; for a serve hook. */
  registerAllVersionRoutes(e: { readonly router: Router }): void {
    this.registerRoutes((version) =>
      createVersionedRouter(e.router, () => this.versions.get(version.label) ?? version),
    );
  }

  /**
   * Registers them with the documentation alone: without a server, a port or a database. Throws if no version has a
   * registrar, because nothing would be documented.
   */
  registerAllVersionRoutesForDocs(): void {
    this.checkRegistrars();
    const table = new RouteTable();
    this.registerRoutes((version) => createDocsRouter(table, version));
  }

  getDefaultVersion(): string | undefined {
    return this.defaultVersion;
  }

  setDefaultVersion(version: string): void {
    this.defaultVersion = this.get(version).label;
  }

  /** The labels, sorted. */
  getAllVersions(): string[] {
    return [...this.versions.keys()].sort();
  }

  getVersionInfo(version: string): VersionInfo {
    return describeVersion(this.get(version));
  }

  /** Shows the versions under /api/docs of that application. `createApp({ versions })` does it by itself. */
  registerWithServer(app: object): void {
    docsOf(app).use(this);
  }

  /** @internal */
  find(label: string): Version | undefined {
    return this.versions.get(label);
  }

  /** A version without routes may be planned, as long as another one has some. */
  private checkRegistrars(): void {
    const missing = this.getAllVersions().filter((label) => !this.registrars.has(label));
    if (missing.length === 0) return;
    const labels = missing.join(", ");
    if (this.registrars.size === 0) throw NO_ROUTE_REGISTRAR(labels);
    process.emitWarning(
      `API versions with no route registrar have empty documents: ${labels}. Call setVersionRouteRegistrar for each of them.`,
    );
  }

  private registerRoutes(createRouter: (version: Version) => VersionedRouter): void {
    for (const [label, register] of this.registrars) {
      const version = this.get(label);
      version.registry.clear();
      register(createRouter(version));
    }
  }

  private get(label: string): Version {
    const version = this.versions.get(label);
    if (!version) throw VERSION_UNKNOWN(String(label));
    return version;
  }
}

/** A manager with all versions set up: their configuration, their routes, and which is the default. */
export function initializeVersionedSystemWithRoutes(
  versions: Record<string, { config?: Partial<APIDocsConfig>; routes: RouteRegistrar }>,
  defaultVersion: string,
): APIVersionManager {
  const manager = new APIVersionManager();
  for (const [label, { config, routes }] of Object.entries(versions)) {
    manager.registerVersion(label, config);
    manager.setVersionRouteRegistrar(label, routes);
  }
  manager.setDefaultVersion(defaultVersion);
  return manager;
}
