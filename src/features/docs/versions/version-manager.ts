import { type Router, RouteTable } from "../../../http/index.ts";
import { refuseUnknown } from "../../../lib/options/only-known.ts";
import { type Clock, systemClock } from "../../../lib/time/clock.ts";
import {
  INVALID_DOCS_CONFIG,
  NO_ROUTE_REGISTRAR,
  VERSION_EXISTS,
  VERSION_IS_DEFAULT,
  VERSION_ROUTES_REGISTERED,
  VERSION_UNKNOWN,
} from "../errors.ts";
import { APIRegistry } from "../registry/registry.ts";
import { type APIDocsConfig, resolveDocsConfig } from "./config.ts";
import { docsOf, noteRoutes } from "./server.ts";
import { checkLabel, describeVersion, prefixOf, type Version, type VersionInfo } from "./version.ts";
import { createDocsRouter, createVersionedRouter, type VersionedRouter } from "./versioned-router.ts";

/** Registers the routes of one version. */
export type RouteRegistrar = (router: VersionedRouter) => void;

/** Options of `APIVersionManager`. */
export interface APIVersionManagerOptions {
  /** The label of the default version. Default: the version registered first. */
  defaultVersion?: string | undefined;
  /** @internal */
  clock?: Clock;
}

/**
 * The versions of an API. Each has its own registry, configuration and document.
 *
 * ```ts
 * const versions = new APIVersionManager();
 * versions.registerVersion("v1", { title: "Todos" });
 * versions.setVersionRouteRegistrar("v1", (router) => {
 *   router.get("/api/v1/todos", listTodos);
 * });
 * const app = createApp({ versions });
 * ```
 */
export class APIVersionManager {
  private readonly versions = new Map<string, Version>();
  private readonly registrars = new Map<string, RouteRegistrar>();
  private readonly clock: Clock;
  private defaultVersion: string | undefined;
  /** The routers of applications on which the routes of all versions are registered. */
  private readonly routers = new WeakSet<Router>();
  private readonly served = new Set<string>();
  private readonly listeners = new Set<(version: Version) => void>();

  constructor(options: APIVersionManagerOptions = {}) {
    refuseUnknown<APIVersionManagerOptions>("APIVersionManager", options, {
      defaultVersion: true,
      clock: false,
    });
    const { defaultVersion, clock = systemClock } = options;
    this.defaultVersion = defaultVersion === undefined ? undefined : checkLabel(defaultVersion);
    this.clock = clock;
  }

  /**
   * Adds a version. Fields missing from the configuration have defaults. The first version becomes the default version.
   */
  registerVersion(version: string, config?: Partial<APIDocsConfig> | null): void {
    const label = checkLabel(version);
    // Labels that differ only in case would share a file on some systems.
    const other = [...this.versions.keys()].find((each) => each.toLowerCase() === label.toLowerCase());
    if (other !== undefined) throw VERSION_EXISTS(other);
    const now = new Date(this.clock.now());
    const added: Version = {
      label,
      prefix: prefixOf(label),
      registry: new APIRegistry(),
      config: resolveDocsConfig(label, config),
      createdAt: now,
      updatedAt: now,
      statusSince: now,
    };
    this.versions.set(label, added);
    this.defaultVersion ??= label;
    this.announce(added);
  }

  /** Removes a version and its registry from the documentation. Mounted routes continue to work. */
  removeVersion(version: string): void {
    const { label } = this.get(version);
    if (label === this.defaultVersion) throw VERSION_IS_DEFAULT(label);
    this.versions.delete(label);
    this.registrars.delete(label);
  }

  /** The complete configuration of a version. */
  getVersionConfig(version: string): APIDocsConfig {
    return this.get(version).config;
  }

  /** Updates the given fields of a version's configuration. */
  updateVersionConfig(version: string, changes: Partial<APIDocsConfig>): void {
    const found = this.get(version);
    const { status, checked } = found.config;
    const config = resolveDocsConfig(found.label, changes, found.config);
    if (found.registry.size > 0 && config.checked !== checked)
      throw INVALID_DOCS_CONFIG(found.label, "checked must be set before the routes are registered");
    found.config = config;
    found.updatedAt = new Date(this.clock.now());
    if (found.config.status !== status) found.statusSince = found.updatedAt;
    this.announce(found);
  }

  /** The registry with the documented endpoints of a version. */
  getVersionRegistry(version: string): APIRegistry {
    return this.get(version).registry;
  }

  /** Sets the function that registers the version's routes. */
  setVersionRouteRegistrar(version: string, register: RouteRegistrar): void {
    if (typeof register !== "function")
      throw new TypeError("setVersionRouteRegistrar expects a function that takes a router.");
    this.registrars.set(this.get(version).label, register);
  }

  /** Registers the routes of all versions with the server and the documentation. Call it in a serve hook. */
  registerAllVersionRoutes(e: { readonly router: Router; readonly app?: object }): void {
    if (this.routers.has(e.router)) throw VERSION_ROUTES_REGISTERED();
    noteRoutes(e.app, this);
    this.registerRoutes((version) => {
      this.served.add(version.label);
      return createVersionedRouter(e.router, () => this.versions.get(version.label) ?? version);
    });
    this.routers.add(e.router);
  }

  /**
   * Registers the routes for the documentation only, without a server, a port or a database. Throws if no version has a
   * registrar.
   */
  registerAllVersionRoutesForDocs(): void {
    this.checkRegistrars();
    const table = new RouteTable();
    this.registerRoutes((version) => createDocsRouter(table, version));
  }

  /** The label of the default version; `undefined` if there is none. */
  getDefaultVersion(): string | undefined {
    return this.defaultVersion;
  }

  /** Makes a registered version the default. */
  setDefaultVersion(version: string): void {
    this.defaultVersion = this.get(version).label;
  }

  /** All labels, sorted. */
  getAllVersions(): string[] {
    return [...this.versions.keys()].sort();
  }

  /** The status, timestamps, configuration and endpoint counts of a version. */
  getVersionInfo(version: string): VersionInfo {
    return describeVersion(this.get(version));
  }

  /** Shows the versions under /api/docs of an application. `createApp({ versions })` calls it. */
  registerWithServer(app: object): void {
    docsOf(app).use(this);
  }

  /** @internal */
  listUnserved(): string[] {
    return [...this.registrars.keys()].filter((label) => !this.served.has(label));
  }

  /** @internal */
  find(label: string): Version | undefined {
    return this.versions.get(label);
  }

  /** @internal */
  onChange(listener: (version: Version) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private announce(version: Version): void {
    for (const listener of this.listeners) listener(version);
  }

  /** A version may have no routes yet, as long as another version has some. */
  private checkRegistrars(): void {
    const missing = this.getAllVersions().filter((label) => !this.registrars.has(label));
    if (missing.length === 0) return;
    const labels = missing.join(", ");
    if (this.registrars.size === 0) throw NO_ROUTE_REGISTRAR(labels);
    process.emitWarning(
      `API versions without a route registrar have empty documents: ${labels}. Call setVersionRouteRegistrar for each of them.`,
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

/** Creates a manager with all versions: their configuration, their routes and the default version. */
export function initializeVersionedSystemWithRoutes(
  versions: Record<string, { config?: Partial<APIDocsConfig> | null | undefined; routes: RouteRegistrar }>,
  defaultVersion: string,
): APIVersionManager {
  const manager = new APIVersionManager();
  for (const [label, parts] of Object.entries(versions)) {
    refuseUnknown<typeof parts>(`Version "${label}"`, parts, { config: true, routes: true });
    const { config, routes } = parts;
    manager.registerVersion(label, config);
    manager.setVersionRouteRegistrar(label, routes);
  }
  manager.setDefaultVersion(defaultVersion);
  return manager;
}
