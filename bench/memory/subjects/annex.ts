/** Everything on, each request's record included. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../../src/index.ts";
import { announce, page } from "../subject.ts";

const folder = mkdtempSync(join(tmpdir(), "annex-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const app = createApp({
  port: 0,
  dataDir: join(folder, "data"),
  dev: false,
  logLevel: "debug",
  log: { destination: join(folder, "annex.log") },
  trustedProxies: ["127.0.0.1"],
});
await app.superusers.create("bench@example.com", "correct horse battery staple");
app.onServe(({ router }) => router.get("/pages/{name}", (e) => e.html(200, page)));
const { port } = await app.start();
announce(port);
