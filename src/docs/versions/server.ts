import type { VersionSource } from "./version.ts";

/** The place in an application where versions are shown; `app/` brings them together. */
export interface DocsHost {
  use(versions: VersionSource): void;
}

const hosts = new WeakMap<object, DocsHost>();

/** Tells where an application shows its versions. */
export function attachDocs(app: object, host: DocsHost): void {
  hosts.set(app, host);
}

export function docsOf(app: object): DocsHost {
  const host = hosts.get(app);
  if (!host) throw new TypeError("Versions are registered with an application that createApp made.");
  return host;
}
