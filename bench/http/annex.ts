import { join } from "node:path";
import { type App, compress, createApp, rateLimit, staticFiles } from "../../src/index.ts";
import { report, writeFiles } from "./content.ts";
import { announce, scratchFolder } from "./subject.ts";

type LogLevel = "debug" | "info";

/** Annex as in production; only the level decides whether a request's record is written and kept. */
export async function createAnnex(logLevel: LogLevel): Promise<App> {
  const folder = scratchFolder();
  const app = createApp({
    port: 0,
    dataDir: join(folder, "data"),
    dev: false,
    logLevel,
    log: { destination: join(folder, "annex.log") },
  });
  // As in production, and so that no invitation to create the first one is printed.
  await app.superusers.create("bench@example.com", "correct horse battery staple");
  return app;
}

export async function serveAnnex(logLevel: LogLevel): Promise<void> {
  const app = await createAnnex(logLevel);
  app.onServe((e) => {
    e.router.get("/hello", (e) => e.json(200, { hello: "world" }));
    e.router.get("/users/{id}", (e) => e.json(200, { id: e.pathValue("id") }));
    e.router
      .get("/limited", (e) => e.json(200, { hello: "world" }))
      .bind(rateLimit({ limit: 1_000_000_000, per: "1d" }));
    e.router.get("/files/{path...}", staticFiles(writeFiles()));
    e.router.get("/report", (e) => e.json(200, report)).bind(compress());
  });
  const { port } = await app.start();
  announce(port);
}
