/**
 * What grows with the stored data: CPU time, the longest turn of the event loop and the size, for every query and
 * deletion, with a small amount of data, three times and ten times as much:
 *
 *     npm run bench:growth
 *     npm run bench:growth -- --before ../main       # the same with another checkout, side by side
 *     npm run bench:growth -- --scales 10 --sizes    # only bytes per unit, for docs/sizing.md
 *     npm run bench:growth -- --docs                 # also writes the tables of docs/benchmarks.md
 *
 * A full run takes about five minutes for each checkout and engine.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { startPostgres } from "../../tests/support/postgres.ts";
import { renderCosts, renderForDocs, renderSizes } from "./report.ts";
import type { SubjectOptions, SubjectResult } from "./subject.ts";
import { scaleUnit } from "./unit.ts";

const { values } = parseArgs({
  options: {
    before: { type: "string" },
    scales: { type: "string", default: "1,3,10" },
    engine: { type: "string", default: "sqlite" },
    rounds: { type: "string", default: "5" },
    sizes: { type: "boolean", default: false },
    docs: { type: "boolean", default: false },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/growth.json")) },
  },
});
const scales = values.scales.split(",").map(Number);
if (scales.some((scale) => !(scale > 0)) || !["sqlite", "postgres"].includes(values.engine))
  throw new Error(
    "Usage: npm run bench:growth -- [--before DIR] [--scales 1,3,10] [--engine sqlite|postgres]",
  );

const own = join(import.meta.dirname, "../..");
const checkouts = { ...(values.before !== undefined && { before: resolve(values.before) }), now: own };
const machine = `Node ${process.version}, ${cpus()[0]?.model.trim()} × ${availableParallelism()}, ${values.engine}`;
console.log(machine);
/** A run that takes longer has grown in a way that this benchmark should show, not wait for. */
const mostMs = 20 * 60_000;

const server = values.engine === "postgres" ? await startPostgres() : undefined;
const results: Record<string, Record<number, SubjectResult>> = {};
try {
  for (const [label, folder] of Object.entries(checkouts)) {
    results[label] = {};
    for (const scale of scales) {
      console.error(`${label}, ${scale}×`);
      results[label][scale] = await measure(folder, `${label}_${String(scale).replace(".", "_")}`, scale);
    }
  }
} finally {
  await server?.stop();
}
console.log(`\n${renderSizes(results)}`);
if (!values.sizes) console.log(`\n${renderCosts(results)}`);
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify({ machine, at: new Date(), values, results }, null, 2)}\n`);
if (values.docs) writeDocs(renderForDocs(results.now!));

async function measure(folder: string, name: string, scale: number): Promise<SubjectResult> {
  const dataDir = mkdtempSync(join(tmpdir(), "annex-bench-"));
  const url = server && (await createDatabase(name));
  const options: SubjectOptions = {
    folder,
    dataDir,
    url,
    unit: scaleUnit(scale),
    rounds: Number(values.rounds),
    sizesOnly: values.sizes,
  };
  const child = fork(join(import.meta.dirname, "subject.ts"), [JSON.stringify(options)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), mostMs);
  try {
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`The process ended with ${code}.`);
    });
    const [result] = (await Promise.race([once(child, "message"), ended])) as [SubjectResult];
    await once(child, "exit").catch(() => {});
    return result;
  } finally {
    clearTimeout(timer);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function createDatabase(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server!.url });
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
  const url = new URL(server!.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** Replaces the tables of the engine in the documentation. */
function writeDocs(tables: string): void {
  const path = join(own, "docs/benchmarks.md");
  const page = readFileSync(path, "utf8");
  const [begin, end] = [`<!-- growth ${values.engine} -->`, `<!-- end of growth ${values.engine} -->`];
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${path} has no ${begin}`);
  writeFileSync(path, `${before}${begin}\n${tables}\n${end}${after}`);
}
