import type { VersionSource } from "./version.ts";

/** Connects versions to an application. Implemented by `Docs` and attached in `app/`. */
export interface DocsHost {
  use(versions: VersionSource): void;
  /** Notes that the routes of these versions are registered with the application. */
  noteRoutes(versions: VersionSource): void;
}

const hosts = new WeakMap<object, DocsHost>();

/** Sets the host that shows an application's versions. */
export function attachDocs(app: object, host: DocsHost): void {
  hosts.set(app, host);
}

/** Does nothing if the application is not known. */
export function noteRoutes(app: object | undefined, versions: VersionSource): void {
  if (app !== undefined) hosts.get(app)?.noteRoutes(versions);
}

export function docsOf(app: object): DocsHost {
  const host = hosts.get(app);
  if (!host) throw new TypeError("registerWithServer expects an application created by createApp.");
  return host;
}
