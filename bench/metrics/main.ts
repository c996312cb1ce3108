/**
 * What a question about the past costs: a month of minutes with two hundred routes, put together to hours and days as
 * the job does it, and then asked as the dashboard asks.
 *
 *     npm run bench:metrics -- --days 30 --routes 200 --database postgres://…
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { History } from "../../src/features/metrics/history/history.ts";
import { metricMigrations } from "../../src/features/metrics/history/tables.ts";
import { systemClock } from "../../src/lib/time/clock.ts";
import { openDatabase } from "../../src/storage/index.ts";
import { writeMonth } from "./month.ts";

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "30" },
    routes: { type: "string", default: "200" },
    rounds: { type: "string", default: "15" },
    database: { type: "string" },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/metrics.json")) },
  },
});
const days = Number(values.days);
const routes = Number(values.routes);
const rounds = Number(values.rounds);

const dataDir = mkdtempSync(join(tmpdir(), "annex-bench-"));
const database = await openDatabase({
  dataDir,
  file: "metrics.db",
  durability: "normal",
  ...(values.database !== undefined && { url: values.database }),
});
await database.migrate([metricMigrations]);
const history = new History({
  database,
  clock: systemClock,
  instance: "bench",
  description: {},
  maxBytes: Number.POSITIVE_INFINITY,
  report: (problem) => problem && console.error(problem),
});

const now = Math.floor(Date.now() / 60_000) * 60;
console.log(`Node ${process.version}, ${database.engine}, ${days} days of minutes, ${routes} routes`);
const begun = performance.now();
const requests = await writeMonth(database, { now, days, routes });
console.log(`${requests.toLocaleString("en")} requests written in ${seconds(performance.now() - begun)}`);
const compacting = process.cpuUsage();
const { compacted } = await history.maintain();
const { user, system } = process.cpuUsage(compacting);
console.log(`${compacted} hours and days made of them in ${seconds((user + system) / 1_000)} of CPU`);
const { bytes, levels } = await history.size();
console.log(
  `${megabytes(bytes)} in the store: ${levels.map(({ level, bytes }) => `${level} s ${megabytes(bytes)}`).join(", ")}`,
);
if (database.engine === "sqlite")
  console.log(`${megabytes(statSync(join(dataDir, "metrics.db")).size)} on disk`);

const day = 86_400;
/** The last chart before its points become hours has the most minutes. */
const windows = {
  ...{ "1 h": 3_600, "2 h": 7_200, "6 h": 6 * 3_600, "24 h": day },
  ...{ "5 d": 5 * day, "7 d": 7 * day, "30 d": days * day },
};
const results: Record<string, Record<string, number>> = {};
for (const [name, length] of Object.entries(windows)) {
  const query = { from: now - length + 17, to: now, points: 240 };
  const one = { ...query, route: "GET /things/3" };
  results[name] = {
    "chart, all routes": await measure(() => history.requests(query)),
    "chart, one route": await measure(() => history.requests(one)),
    "table of routes": await measure(() => history.routes(query)),
    "slowest requests": await measure(() => history.slowest(query)),
    "numbers of the machine": await measure(() => history.system(query)),
  };
}
console.log(`\nMilliseconds of CPU of this process, medians of ${rounds}:`);
console.table(results);
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(
  values.json,
  `${JSON.stringify({ node: process.version, engine: database.engine, days, routes, bytes, levels, results }, null, 2)}\n`,
);
await history.close();
await database.close();
rmSync(dataDir, { recursive: true });

async function measure(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    await ask();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return Math.round(times.sort((one, other) => one - other)[Math.floor(rounds / 2)]! * 10) / 10;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
