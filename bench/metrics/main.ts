/**
 * What the history of metrics costs, in CPU time of this process: to write, to merge into hours, and to answer as the
 * dashboard asks, with a year of 200 routes and 20 requests per second.
 *
 *     npm run bench:metrics
 *     npm run bench:metrics -- --before ../main --engine postgres    # with another checkout, side by side
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { startPostgres } from "../../tests/support/postgres.ts";
import { type Checkout, createCheckout } from "../growth/checkout.ts";
import { fillMetrics } from "../growth/fill/metrics.ts";
import { type Rollup, rollUpHour } from "./rollup.ts";

const { values } = parseArgs({
  options: {
    before: { type: "string" },
    engine: { type: "string", default: "sqlite" },
    days: { type: "string", default: "365" },
    rounds: { type: "string", default: "15" },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/metrics.json")) },
  },
});
const rounds = Number(values.rounds);
const day = 86_400;
/** The last chart before its points become hours has the most minutes. */
const windows = { "1 h": 3_600, "2 h": 7_200, "6 h": 21_600, "24 h": day, "5 d": 5 * day } as const;
const longWindows = { "7 d": 7 * day, "30 d": 30 * day } as const;

interface Measured {
  readonly bytes: number;
  /** Of the file of SQLite. */
  readonly onDisk: number;
  readonly rollup: Rollup;
  readonly results: Record<string, Record<string, number>>;
}

const own = join(import.meta.dirname, "../..");
const checkouts = { ...(values.before !== undefined && { before: resolve(values.before) }), now: own };
const to = Math.floor(Date.now() / 60_000) * 60;
const server = values.engine === "postgres" ? await startPostgres() : undefined;
const all: Record<string, Measured> = {};
console.log(`Node ${process.version}, ${values.engine}, ${values.days} days of 200 routes`);
try {
  for (const [label, folder] of Object.entries(checkouts)) {
    all[label] = await measureCheckout(label, folder);
    const { bytes, onDisk, rollup, results } = all[label];
    const disk = server ? "" : `, ${megabytes(onDisk)} on disk`;
    console.log(`\n${label}: ${megabytes(bytes)} in the store${disk}`);
    console.log(`An hour costs ${rollup.writingMs} ms to write, and ${rollup.maintenanceMs} ms to roll up.`);
    console.log(`Milliseconds of CPU, medians of ${rounds}:`);
    console.table(results);
  }
} finally {
  await server?.stop();
}
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify({ node: process.version, values, all }, null, 2)}\n`);

async function measureCheckout(label: string, folder: string): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), "annex-bench-"));
  const place = async (name: string) => ({
    folder,
    dataDir: join(dataDir, name),
    url: server && (await createDatabase(server.url, `${label}_${name}`)),
  });
  const checkout = createCheckout(await place("year"));
  await fillMetrics(checkout, { minuteDays: 30, hourDays: Number(values.days), to });
  const queries = await measureQueries(checkout);
  const onDisk = server ? 0 : sizeOf(join(dataDir, "year"));
  const rollup = await rollUpHour(createCheckout(await place("hour")));
  rmSync(dataDir, { recursive: true });
  return { ...queries, onDisk, rollup };
}

async function measureQueries(checkout: Checkout): Promise<Pick<Measured, "bytes" | "results">> {
  const { History } = await checkout.load<typeof import("../../src/features/metrics/history/history.ts")>(
    "features/metrics/history/history.ts",
  );
  const { systemClock } =
    await checkout.load<typeof import("../../src/lib/time/clock.ts")>("lib/time/clock.ts");
  await using database = await checkout.open("metrics.db");
  const history = new History({
    database,
    clock: systemClock,
    instance: "web-1",
    description: {},
    maxBytes: Number.POSITIVE_INFINITY,
    report: (problem) => problem && console.error(problem),
  });
  const results: Measured["results"] = {};
  for (const [name, length] of Object.entries({ ...windows, ...longWindows })) {
    const query = { from: to - length + 17, to, points: 240 };
    const one = { ...query, route: "GET /api/v1/things-3/{id}" };
    results[name] = {
      "chart, all routes": await measure(() => history.requests(query)),
      "chart, one route": await measure(() => history.requests(one)),
      "table of routes": await measure(() => history.routes(query)),
      "slowest requests": await measure(() => history.slowest(query)),
      "numbers of the machine": await measure(() => history.system(query)),
    };
  }
  const { bytes } = await history.size();
  await history.close();
  return { bytes, results };
}

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

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
