import { join } from "node:path";
import { createTodosApp } from "../../examples/todos/app.ts";
import type { App } from "../../src/index.ts";

/** The example with all features. It runs no jobs, so nothing is deleted while its tables are read. */
export function createFilledApp(dataDir: string): App {
  const app = createTodosApp({
    port: 0,
    dataDir,
    signals: false,
    cron: { run: false },
    log: { retentionHours: 87_600, destination: join(dataDir, "app.log") },
    metrics: { stallMs: 0 },
  });
  for (let index = 0; index < 20; index++) {
    const id = `job-${String(index).padStart(3, "0")}`;
    app.jobs.registerJob(id, `Job ${index}`, "", "0 0 1 1 *", () => {});
  }
  return app;
}
