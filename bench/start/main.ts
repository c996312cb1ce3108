/**
 * What starting and waiting cost: Annex beside bare frameworks, and beside the same frameworks with Annex attached. Each
 * subject is started several times, in turn, with a database that exists already. Then all of them wait without requests:
 *
 *     npm run bench:start                                     # stages the package first
 *     npm run bench:start -- --runs 9 --idle 60
 *     npm run bench:start -- --package .tmp/package           # a package that is staged already
 *     npm run bench:start -- --only fastify,annex --idle 0    # without the part that waits
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type Installed, measureInstalled } from "./installed.ts";
import { type Start, startSubject } from "./subject-process.ts";

const root = join(import.meta.dirname, "../..");

interface Subject {
  readonly file: string;
  /** The packages that an application depends on. */
  readonly packages: readonly string[];
  readonly annex?: "sources" | "package";
}

const nest = ["@nestjs/common", "@nestjs/core", "@nestjs/platform-express", "reflect-metadata", "rxjs"];
const subjects: Readonly<Record<string, Subject>> = {
  fastify: { file: "fastify", packages: ["fastify"] },
  annex: { file: "annex", packages: [], annex: "package" },
  "annex-sources": { file: "annex", packages: [], annex: "sources" },
  express: { file: "express", packages: ["express"] },
  "express-attached": { file: "express", packages: ["express"], annex: "package" },
  nest: { file: "nest", packages: nest },
  "nest-attached": { file: "nest", packages: nest, annex: "package" },
  "nest-pino": { file: "nest-pino", packages: [...nest, "nestjs-pino", "pino-http"] },
};

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    idle: { type: "string", default: "30" },
    only: { type: "string", default: Object.keys(subjects).join() },
    package: { type: "string" },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/start.json")) },
  },
});

/** When everything that follows a start is done. */
const settleMs = 10_000;

interface Measured extends Start {
  readonly idleRss?: number;
  readonly idleCpuMsPerMinute?: number;
}

const names = values.only.split(",");
for (const name of names)
  if (!(name in subjects)) throw new Error(`--only ${name}: choose from ${Object.keys(subjects).join(", ")}`);

const folder = mkdtempSync(join(tmpdir(), "annex-bench-start-"));
try {
  const staged = resolve(values.package ?? stage());
  const module = installPackage(staged);
  const machine = `Node ${process.version}, ${cpus()[0]?.model.trim()} × ${availableParallelism()}`;
  console.log(`${machine}, ${values.runs} runs, medians`);
  const results = await measure(module);
  const installed = Object.fromEntries(names.map((name) => [name, sizeOf(subjects[name]!, staged)]));
  console.table(
    Object.fromEntries(names.map((name) => [name, describe(results.get(name)!, installed[name]!)])),
  );
  mkdirSync(dirname(values.json), { recursive: true });
  const content = { machine, at: new Date(), results: Object.fromEntries(results), installed };
  writeFileSync(values.json, `${JSON.stringify(content, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function stage(): string {
  const target = join(folder, "staged");
  execFileSync(process.execPath, [join(root, "scripts/stage.ts"), target], { stdio: "inherit" });
  return target;
}

/** The package with the packages of this checkout. Returns its module. */
function installPackage(staged: string): string {
  const modules = join(folder, "node_modules");
  cpSync(staged, join(folder, "annex"), { recursive: true });
  symlinkSync(join(root, "node_modules"), modules);
  const { main } = JSON.parse(readFileSync(join(staged, "package.json"), "utf8")) as { main: string };
  return pathToFileURL(join(folder, "annex", main.replace(/\.cjs$/, ".js"))).href;
}

/** One start of each subject in turn. The first round creates the databases, and is not counted. */
async function measure(module: string): Promise<Map<string, Measured[]>> {
  const results = new Map<string, Measured[]>(names.map((name) => [name, []]));
  for (let run = 0; run <= Number(values.runs); run++) {
    await using processes = new AsyncDisposableStack();
    const waiting = [];
    for (const name of run % 2 === 0 ? names : names.toReversed()) {
      const subject = processes.use(await startSubject(...argumentsOf(name, module)));
      if (run > 0) waiting.push({ name, subject });
      // Without other work on the machine, except that of the subjects that wait.
      if (Number(values.idle) === 0) await delay(1_000);
    }
    const idle = Number(values.idle) > 0 && run > 0;
    if (idle) await delay(settleMs);
    const before = await Promise.all(waiting.map(({ subject }) => subject.usage()));
    if (idle) await delay(Number(values.idle) * 1_000);
    for (const [index, { name, subject }] of waiting.entries()) {
      const { cpuMs, rss } = await subject.usage();
      const idleCpuMsPerMinute = ((cpuMs - before[index]!.cpuMs) * 60) / Number(values.idle);
      results.get(name)!.push({ ...subject.start, ...(idle && { idleRss: rss, idleCpuMsPerMinute }) });
    }
    if (run > 0) console.log(`Run ${run} of ${values.runs}`);
  }
  return results;
}

function argumentsOf(name: string, module: string): [file: string, args: string[]] {
  const { file, annex } = subjects[name]!;
  const path = join(import.meta.dirname, `subjects/${file}.mjs`);
  if (annex === undefined) return [path, []];
  const data = join(folder, `data-${name}`);
  mkdirSync(data, { recursive: true });
  const sources = pathToFileURL(join(root, "src/index.ts")).href;
  return [path, [annex === "sources" ? sources : module, data]];
}

function sizeOf({ packages, annex }: Subject, staged: string): Installed {
  if (annex === undefined) return measureInstalled(packages);
  const { dependencies } = JSON.parse(readFileSync(join(staged, "package.json"), "utf8"));
  return measureInstalled([...packages, ...Object.keys(dependencies)], staged);
}

function describe(results: readonly Measured[], { packages, bytes }: Installed): Record<string, number> {
  const of = (value: (each: Measured) => number) => Math.round(median(results.map(value)));
  return {
    "start ms": of(({ startMs }) => startMs),
    "start CPU ms": of(({ startCpuMs }) => startCpuMs),
    "import CPU ms": of(({ importCpuMs }) => importCpuMs),
    ...(results[0]!.idleRss !== undefined && {
      "idle MB": of(({ idleRss }) => idleRss! / 1e6),
      "idle CPU ms/min": of(({ idleCpuMsPerMinute }) => idleCpuMsPerMinute!),
    }),
    "installed MB": Math.round(bytes / 1e6),
    packages,
  };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle) - 1]!) / 2;
}
