import type { VersionSource } from "./version.ts";

/** Connects versions to an application. Implemented by `Docs` and attached in `app/`. */
export interface DocsHost {
  use(versions: VersionSource): void;
}

const hosts = new WeakMap<object, DocsHost>();

/** Sets the host that shows an application's versions. */
export function attachDocs(app: object, host: DocsHost): void {
  hosts.set(app, host);
}

export function docsOf(app: object): DocsHost {
  const host = hosts.get(app);
  if (!host) throw new TypeError("registerWithServer expects an application created by createApp.");
  return host;
}
