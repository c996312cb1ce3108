/**
 * What many jobs cost: the memory of ten thousand, registering them, moving them to another zone, doing nothing, and
 * how late five hundred begin that are due in the same minute. Annex writes each run to its database; the others only
 * call. One after the other, each in a process of its own; a run takes about five minutes, most of it waiting:
 *
 *     npm run bench:cron
 *     npm run bench:cron -- --only annex,croner --jobs 1000
 */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import type { Measurement } from "./measure.ts";

const subjects = ["annex", "croner", "cron", "node-cron"];
const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "10000" },
    together: { type: "string", default: "500" },
    idle: { type: "string", default: "10" },
    only: { type: "string", default: subjects.join() },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/cron.json")) },
  },
});

const measure = fileURLToPath(import.meta.resolve("./measure.ts"));
const machine = `Node ${process.version}, ${cpus()[0]?.model.trim()} × ${availableParallelism()}`;
console.log(`${machine}\n${values.jobs} jobs, then ${values.together} in the same minute`);

const results: Record<string, Measurement> = {};
for (const name of values.only.split(",")) {
  if (!subjects.includes(name)) throw new Error(`--only ${name}: choose from ${subjects.join()}`);
  results[name] = await measureSubject(name);
  console.log(`measured ${name}`);
}
console.log(`\n${renderTable(results)}\n`);
console.log("The first subject's numbers, and in brackets how many times as much the others take.");
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify({ machine, at: new Date(), values, results }, null, 2)}\n`);

async function measureSubject(name: string): Promise<Measurement> {
  const args = [
    "--expose-gc",
    "--max-old-space-size=4096",
    measure,
    name,
    values.jobs,
    values.together,
    values.idle,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 300_000 });
  return JSON.parse(stdout.trim().split("\n").at(-1)!) as Measurement;
}

function renderTable(results: Record<string, Measurement>): string {
  const columns: [title: string, key: keyof Measurement, unit: string][] = [
    ["memory", "megabytes", "MB"],
    ["registration", "registerMs", "ms"],
    ["other zone", "timezoneMs", "ms"],
    ["idle CPU/min", "idleMsPerMinute", "ms"],
    ["lag, median", "lagMedianMs", "ms"],
    ["lag, last", "lagMaxMs", "ms"],
  ];
  const [first] = Object.values(results);
  const cell = (value: number, base: number, unit: string) => {
    const metric = `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
    return value === base || base <= 0 ? metric : `${metric} (${(value / base).toFixed(1)}×)`;
  };
  const rows = Object.entries(results).map(([name, result]) => [
    name,
    ...columns.map(([, key, unit]) => cell(result[key], first![key], unit)),
  ]);
  const header = ["", ...columns.map(([title]) => title)];
  const lines = [header, header.map(() => "---"), ...rows];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}
