/**
 * The size of the client, how soon it shows something, also on a slow line, how long each page waits for its responses
 * with a month of history, what an hour of updates leaves in the page's memory, what a live page transfers, and what one
 * look and twenty open dashboards cost the server.
 *
 *     npm run bench:dashboard -- --days 30 --routes 200 --watchers 20 --only sizes,first,history,memory,transfer,watching
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildWeb } from "../../scripts/build-web.ts";
import { launchBrowser } from "../../tests/support/browser.ts";
import { createRunFolder } from "../../tests/support/run-folder.ts";
import { measureFirst } from "./first.ts";
import { measureHistory } from "./history.ts";
import { measureMemory } from "./memory.ts";
import { measureSizes } from "./sizes.ts";
import { measureTransfer } from "./transfer.ts";
import { measureWatching } from "./watching.ts";

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "30" },
    routes: { type: "string", default: "200" },
    watchers: { type: "string", default: "20" },
    only: { type: "string", default: "sizes,first,history,memory,transfer,watching" },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/dashboard.json")) },
  },
});

await buildWeb();
const dataDir = mkdtempSync(join(tmpdir(), "annex-bench-"));
process.env.ANNEX_TEST_RUN_FOLDER ??= createRunFolder();
console.log(`Node ${process.version}, ${values.days} days of minutes, ${values.routes} routes`);
const server = fork(join(import.meta.dirname, "server.ts"), [dataDir, values.days, values.routes]);
const [{ url }] = (await once(server, "message")) as [{ url: string }];
const browser = await launchBrowser();

const parts: Record<string, () => Promise<object>> = {
  sizes: async () => measureSizes(),
  first: () => measureFirst(browser, url),
  history: () => measureHistory(browser, url),
  transfer: () => measureTransfer(browser, url),
  memory: () => measureMemory(browser, url),
  watching: () =>
    measureWatching(browser, url, { watchers: Number(values.watchers), cpu: () => askCpu(server) }),
};
const results: Record<string, object> = {};
for (const name of values.only.split(",")) {
  const measure = parts[name];
  if (!measure) throw new Error(`--only ${name}: choose from ${Object.keys(parts).join()}`);
  results[name] = await measure();
}
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify({ node: process.version, ...results }, null, 2)}\n`);

await browser.close();
server.disconnect();
await Promise.race([once(server, "exit"), delay(20_000)]);
rmSync(dataDir, { recursive: true, force: true });

/** Milliseconds of processor time that the server has used so far, all its threads together. */
async function askCpu(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [{ cpu }] = (await once(child, "message")) as [{ cpu: NodeJS.CpuUsage }];
  return (cpu.user + cpu.system) / 1_000;
}
