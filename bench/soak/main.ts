/**
 * Memory over hours: a steady load on Annex's own server, on Express with Annex attached and on bare Express, with an
 * open dashboard. Every minute, it samples all memory that can be told apart, and at the end it prints the slopes.
 *
 *     npm run bench:soak -- --minutes 240
 *     npm run bench:soak -- --only own,own-before --before ../main    # the same with another checkout, side by side
 *     npm run bench:soak -- --only own,own-arenas,own-young           # with MALLOC_ARENA_MAX=2, --max-semi-space-size=8
 *     npm run bench:soak -- --only own --engine postgres
 *
 * It needs Linux, and about a third of a core.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createTestDatabase } from "../../tests/support/postgres.ts";
import { startLoad } from "./load.ts";
import { measureFolder, readProcess } from "./process-memory.ts";
import { renderCurve, renderSummary, type Sample } from "./report.ts";
import { account, type Heaps, type Kind, type SubjectOptions } from "./subject-process.ts";
import { startWatcher } from "./watcher.ts";

const kinds: readonly Kind[] = ["own", "attached", "bare"];
/** Another checkout, few malloc arenas, and a small heap for new objects. */
const variants: Record<string, NodeJS.ProcessEnv> = {
  before: {},
  arenas: { MALLOC_ARENA_MAX: "2" },
  young: { NODE_OPTIONS: "--max-semi-space-size=8" },
};

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "90" },
    rate: { type: "string", default: "500" },
    only: { type: "string", default: kinds.join() },
    before: { type: "string" },
    engine: { type: "string", default: "sqlite" },
    "log-megabytes": { type: "string", default: "16" },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/soak.json")) },
  },
});
const minutes = readNumber("minutes");
const rate = readNumber("rate");
const logMegabytes = readNumber("log-megabytes");
if (!["sqlite", "postgres"].includes(values.engine))
  throw new Error(`--engine ${values.engine}: sqlite or postgres`);
const machine = `Node ${process.version}, ${cpus()[0]?.model.trim()} × ${availableParallelism()}`;
console.log(`${machine}, ${rate} requests per second each, ${minutes} minutes`);

const startedAt = performance.now();
const subjects = await Promise.all(values.only.split(",").map(startSubject));
const samples: Record<string, Sample[]> = {};
for (const { name } of subjects) samples[name] = [];
for (let minute = 0; minute <= minutes; minute++) {
  await delay(Math.max(0, startedAt + minute * 60_000 - performance.now()));
  for (const { name, sample } of subjects) {
    const taken = await sample((performance.now() - startedAt) / 60_000);
    samples[name]!.push(taken);
    const { rss, heapUsed, arenaRss, disk, load } = taken;
    const figures = [rss, heapUsed, arenaRss, disk].map((bytes) => (bytes / 1e6).toFixed(1));
    console.error(
      `${minute} ${name}: RSS ${figures[0]}, heap ${figures[1]}, arenas ${figures[2]}, disk ${figures[3]} MB; ${JSON.stringify(load)}`,
    );
  }
  // A run that is ended early leaves its samples.
  mkdirSync(dirname(values.json), { recursive: true });
  writeFileSync(values.json, `${JSON.stringify({ machine, at: new Date(), values, samples })}\n`);
}
console.log(`\n${renderSummary(samples)}\n\n${renderCurve(samples, 15)}`);
for (const { stop } of subjects) await stop();

/** `own-before` is the server of another checkout. */
async function startSubject(name: string) {
  const [kind, variant] = name.split("-") as [Kind, string | undefined];
  if (!kinds.includes(kind) || (variant !== undefined && !(variant in variants)))
    throw new Error(
      `--only ${name}: choose from ${kinds.join()}, followed by -${Object.keys(variants).join(" or -")}`,
    );
  if (variant === "before" && values.before === undefined) throw new Error("--before is missing");
  const dataDir = mkdtempSync(join(tmpdir(), "annex-bench-"));
  const database = values.engine === "postgres" && kind !== "bare" ? await createTestDatabase() : undefined;
  const options: SubjectOptions = {
    kind,
    folder: variant === "before" ? resolve(values.before!) : join(import.meta.dirname, "../.."),
    dataDir,
    url: database?.url,
    logMegabytes,
  };
  const child = fork(join(import.meta.dirname, "subject.ts"), [JSON.stringify(options)], {
    execArgv: ["--no-warnings"],
    env: { ...process.env, ...variants[variant ?? ""] },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const load = startLoad(port, rate);
  const watcher = kind === "bare" ? undefined : await startWatcher(port, account);
  return {
    name,
    async sample(minute: number): Promise<Sample> {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
      child.send("heaps");
      const [heaps] = (await once(child, "message")) as [Heaps];
      const failedQueries = watcher?.failed ?? 0;
      const disk = measureFolder(dataDir);
      return { minute, ...heaps, ...readProcess(child.pid!), disk, load: load.stats(), failedQueries };
    },
    async stop() {
      load.stop();
      await watcher?.stop();
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
      await database?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function readNumber(option: "minutes" | "rate" | "log-megabytes"): number {
  const number = Number(values[option]);
  if (!(number > 0)) throw new Error(`--${option} ${values[option]}: a number above zero is needed`);
  return number;
}
