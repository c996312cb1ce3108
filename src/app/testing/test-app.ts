import { join } from "node:path";
import type { Cleanup } from "../../lib/testing/share.ts";
import { createTemporaryFolder as createFolder } from "../../lib/testing/temporary-folder.ts";
import type { App } from "../app.ts";
import { createApp } from "../application.ts";
import type { AppOptions } from "../config/options.ts";

export function createTemporaryFolder(_t: Cleanup): string {
  return createFolder();
}

/** An application in a folder of its own, on a free port, with its log in a file there; gone after the test. */
export function createTestApp(t: Cleanup, options: AppOptions = {}): App & { readonly dataDir: string } {
  const dataDir = options.dataDir ?? createTemporaryFolder(t);
  const app = createApp({
    port: 0,
    dataDir,
    signals: false,
    // On an overloaded machine, PostgreSQL can take ten seconds to accept a connection.
    ...(options.databaseTimeoutMs === undefined && { databaseConnectTimeoutMs: 120_000 }),
    ...options,
    // On a slow machine, any test may block the event loop, and its log would contain another warning.
    metrics: { stallMs: 0, ...options.metrics },
    log: { destination: join(dataDir, "app.log"), ...options.log },
  });
  t.after(() => app.stop());
  return Object.assign(app, { dataDir });
}
