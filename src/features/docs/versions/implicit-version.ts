import type { RegisteredRoute, RootRouter } from "../../../http/index.ts";
import { type Clock, systemClock } from "../../../lib/time/clock.ts";
import type { Endpoint } from "../registry/endpoint.ts";
import { APIRegistry } from "../registry/registry.ts";
import { resolveDocsConfig } from "./config.ts";
import type { Version, VersionSource } from "./version.ts";
import { documentRoute } from "./versioned-router.ts";

interface Options {
  /** Whether the document and its page are public. */
  readonly isPublic: boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

const label = "v1";

/** The version of an application that registers none. It has all routes of the application, with their whole paths. */
export class ImplicitVersion implements VersionSource {
  private readonly version: Version;

  constructor({ isPublic, clock = systemClock }: Options) {
    const now = new Date(clock.now());
    this.version = {
      label,
      prefix: "",
      registry: new APIRegistry(),
      config: resolveDocsConfig(label, { publicSwagger: isPublic }),
      createdAt: now,
      updatedAt: now,
      statusSince: now,
    };
  }

  /** The same router, which also documents its routes. Routes of a registered version belong to that version. */
  document(router: RootRouter): RootRouter {
    return router.observed((route) => this.add(route));
  }

  /** The routes that belong to no registered version. */
  list(): Endpoint[] {
    return this.version.registry.list();
  }

  find(wanted: string): Version | undefined {
    return this.getAllVersions().includes(wanted) ? this.version : undefined;
  }

  /** Without routes there is nothing to document. */
  getAllVersions(): string[] {
    return this.version.registry.size > 0 ? [label] : [];
  }

  getDefaultVersion(): string | undefined {
    return this.getAllVersions()[0];
  }

  listUnserved(): string[] {
    return [];
  }

  /** Its configuration does not change. */
  onChange(): () => void {
    return () => {};
  }

  /** They are registered with the routes of the application. */
  registerAllVersionRoutesForDocs(): void {}

  private add(route: RegisteredRoute): void {
    try {
      documentRoute(this.version.registry, route);
    } catch (error) {
      // The route works, and the application did not ask for documentation.
      process.emitWarning(`The route is not documented: ${(error as Error).message}`);
    }
  }
}
