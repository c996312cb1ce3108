/** Starts an application with so many routes, documented or not, and prints how long it took. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { APIVersionManager, createApp, type Router } from "../../src/index.ts";

const [mode, count] = process.argv.slice(2);
const register = (router: Router) => {
  for (let index = 0; index < Number(count); index++) {
    router.get(`/api/v1/things${index}/{id}`, (e) => e.json(200, {}));
  }
};
const dataDir = mkdtempSync(join(tmpdir(), "annex-bench-"));
const begin = performance.now();
const versions = new APIVersionManager();
versions.registerVersion("v1");
if (mode === "documented") versions.setVersionRouteRegistrar("v1", register);
const app = createApp({ port: 0, dataDir, dev: true, versions, log: { destination: join(dataDir, "log") } });
if (mode === "plain") app.onServe(({ router }) => register(router));
await app.inject({ url: "/api/health" });
const took = performance.now() - begin;
await app.stop();
rmSync(dataDir, { recursive: true });
process.stdout.write(String(took));
