/**
 * What reading the source costs: starting with and without it, the time to exact documents, one edited file, memory and
 * the event loop, for applications of 50, 500 and 2,000 handlers that are generated here. Beside it other ways to
 * documents of the same API: swagger-autogen, tsoa, and TypeScript 6 alone. One process at a time, on Linux; a run
 * takes four minutes, or more where others use the machine:
 *
 *     npm run bench:analysis
 *     npm run bench:analysis -- --handlers 2000 --only tsoa,typescript-6
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installPackages } from "./install.ts";
import { operationsPerResource } from "./projects/resource.ts";
import { renderSize } from "./report.ts";
import { measureSize, type SizeResult } from "./size.ts";
import { peers } from "./subjects/peers.ts";

const { values } = parseArgs({
  options: {
    handlers: { type: "string", multiple: true, default: ["50", "500", "2000"] },
    only: { type: "string", default: peers.map(({ name }) => name).join() },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/analysis.json")) },
  },
});
const sizes = values.handlers.map(parseSize);
const chosen = values.only.split(",").filter(Boolean).map(findPeer);

const machine = `Node ${process.version}, ${cpus()[0]?.model.trim()} × ${availableParallelism()}`;
console.log(machine);
const folder = mkdtempSync(join(tmpdir(), "annex-analysis-"));
try {
  installPackages(folder);
  const results: SizeResult[] = [];
  for (const handlers of sizes) {
    const result = await measureSize(folder, handlers, chosen);
    console.log(`\n${renderSize(result)}`);
    results.push(result);
  }
  mkdirSync(dirname(values.json), { recursive: true });
  writeFileSync(values.json, `${JSON.stringify({ machine, at: new Date(), results }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function parseSize(text: string): number {
  const size = Number(text);
  if (Number.isInteger(size) && size > 0 && size % operationsPerResource === 0) return size;
  throw new Error(`${text}: a number of handlers is needed, in steps of ${operationsPerResource}`);
}

function findPeer(name: string) {
  const peer = peers.find((each) => each.name === name);
  if (!peer) throw new Error(`--only ${name}: choose from ${peers.map((each) => each.name).join()}`);
  return peer;
}
