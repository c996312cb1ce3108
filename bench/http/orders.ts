import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checked, createApp, type RequestEvent } from "../../src/index.ts";
import type { Order } from "./order.ts";
import { announce, scratchFolder } from "./subject.ts";

const specsVariable = "ANNEX_BENCH_SPECS";
const cli = fileURLToPath(import.meta.resolve("../../src/cli/bin.ts"));

async function createOrder(e: RequestEvent) {
  const order = await e.bindBody<Order>();
  return e.json(200, { items: order.items.length });
}

/** Annex as in production, with a route that reads a body. Its checks are written first, as by a build. */
export async function serveOrders({ isChecked }: { isChecked: boolean }): Promise<void> {
  const folder = scratchFolder();
  const specsDir = process.env[specsVariable] ?? join(folder, "specs");
  const isBuilding = process.env[specsVariable] !== undefined;
  if (isChecked && !isBuilding)
    execFileSync(process.execPath, [cli, "specs", "generate", process.argv[1]!, "--out", specsDir], {
      stdio: ["ignore", 2, 2],
      env: { ...process.env, [specsVariable]: specsDir },
    });
  const app = createApp({
    port: 0,
    dataDir: join(folder, "data"),
    dev: false,
    specsDir,
    logLevel: "info",
    log: { destination: join(folder, "annex.log") },
  });
  app.onServe(({ router }) => {
    const route = router.post("/orders", createOrder);
    if (isChecked) route.bind(checked());
  });
  // In the build, this writes the checks and ends the process.
  if (isBuilding) await app.start();
  await app.superusers.create("bench@example.com", "correct horse battery staple");
  const { port } = await app.start();
  announce(port);
}
