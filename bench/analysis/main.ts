/**
 * What reading the source costs: starting with and without it, the time to exact documents, one edited file, memory and
 * the event loop, for applications of 50, 500 and 2,000 handlers that are generated here. Beside it other ways to
 * documents of the same API: swagger-autogen, tsoa, and TypeScript 6 alone. One process at a time:
 *
 *     node bench/analysis/main.ts
 *     node bench/analysis/main.ts 50 500 --only tsoa
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installPackages } from "./install.ts";
import { contentOfResource, operationsPerResource } from "./projects/resource.ts";
import { renderComparison, renderOwn } from "./report.ts";
import { createProject, measureAnnex } from "./subjects/annex.ts";
import { measurePeer, type PeerResult, peers } from "./subjects/peers.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: peers.map(({ name }) => name).join() },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/analysis.json")) },
  },
});
const sizes = (positionals.length > 0 ? positionals : ["50", "500", "2000"]).map(parseSize);
const chosen = values.only.split(",").filter(Boolean).map(findPeer);

const machine = `Node ${process.version}, ${cpus()[0]?.model.trim()} × ${availableParallelism()}`;
console.log(machine);
const folder = mkdtempSync(join(tmpdir(), "annex-analysis-"));
try {
  installPackages(folder);
  const results = [];
  for (const handlers of sizes) results.push(await measureSize(handlers));
  mkdirSync(dirname(values.json), { recursive: true });
  writeFileSync(values.json, `${JSON.stringify({ machine, at: new Date(), results }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureSize(handlers: number) {
  const rounds = handlers > 100 ? 3 : 5;
  const project = createProject(folder, handlers);
  const annex = await measureAnnex(project, handlers, rounds);
  const others: PeerResult[] = [];
  for (const peer of chosen) {
    try {
      others.push(await measurePeer(peer, { folder, ours: project, handlers, rounds }));
    } catch (error) {
      // The minutes of all others would be lost with it.
      console.log(`${peer.name} with ${handlers} handlers: ${(error as Error).message}`);
    }
  }
  console.log(
    `\n## ${handlers} handlers\n\n${renderComparison(annex, others)}\n${renderExpected(handlers)}\n`,
  );
  console.log(renderOwn(annex));
  return { handlers, annex, others };
}

/** So that a reader sees what is missing. */
function renderExpected(handlers: number): string {
  const { notFound, bodies, queries, answers } = contentOfResource;
  const of = (each: number) => (each * handlers) / operationsPerResource;
  return `In the source: ${handlers} operations, 404 ${of(notFound)}, bodies ${of(bodies)}, queries ${of(queries)}, answers ${of(answers)}.`;
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
