/**
 * What instances cost that share a database: statements, rows and time of the database, and CPU, per minute and
 * instance. Each scenario starts its own instances on an empty database, and is measured for at most a minute:
 *
 *     npm run bench:fleet
 *     npm run bench:fleet -- --before ../main      # the same load with another checkout, side by side
 *     npm run bench:fleet -- --only idle,many --statements
 *
 * Ten instances share a process. Each has its own connections, and its own thread for the heartbeat.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { startPostgres } from "../../tests/support/postgres.ts";
import { type Measurement, measure } from "./fleet.ts";
import { quickScenarios, type Scenario, scenarios } from "./scenario.ts";

const { values } = parseArgs({
  options: {
    before: { type: "string" },
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    statements: { type: "boolean", default: false },
    json: { type: "string", default: fileURLToPath(import.meta.resolve("../results/fleet.json")) },
  },
});

const known = values.quick ? quickScenarios : scenarios;
const chosen = (values.only?.split(",") ?? Object.keys(known)).map((name): [string, Scenario] => {
  const scenario = known[name];
  if (!scenario) throw new Error(`--only ${name}: choose from ${Object.keys(known).join()}`);
  return [name, scenario];
});
const own = join(import.meta.dirname, "../..");
const checkouts = { ...(values.before !== undefined && { before: resolve(values.before) }), now: own };

const machine = `Node ${process.version}, ${cpus()[0]?.model.trim()} × ${availableParallelism()}`;
console.log(machine);
const server = await startPostgres(["shared_preload_libraries=pg_stat_statements"]);
const results: Record<string, Record<string, Measurement>> = {};
try {
  for (const [name, scenario] of chosen) {
    results[name] = await measureAll(name, scenario);
    console.log(`\n${render(scenario, results[name])}`);
  }
} finally {
  await server.stop();
}
mkdirSync(dirname(values.json), { recursive: true });
writeFileSync(values.json, `${JSON.stringify({ machine, at: new Date(), values, results }, null, 2)}\n`);

async function measureAll(name: string, scenario: Scenario): Promise<Record<string, Measurement>> {
  const measured: Record<string, Measurement> = {};
  for (const [label, checkout] of Object.entries(checkouts)) {
    const url = await createDatabase(`${name}_${label}`);
    measured[label] = await measure(checkout, url, scenario);
  }
  return measured;
}

async function createDatabase(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

function render({ title, instances, jobs }: Scenario, measured: Record<string, Measurement>): string {
  const columns = [
    ["statements", "statements"],
    ["rows", "rows"],
    ["database, ms", "databaseMs"],
    ["CPU, ms", "cpuMs"],
  ] as const;
  const base = Object.values(measured).at(-1)!;
  const cell = (value: number, least: number) => {
    const shown = value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
    return value === least || least === 0 ? shown : `${shown} (${(value / least).toFixed(1)}×)`;
  };
  const rows = Object.entries(measured).map(([label, result]) => [
    label,
    ...columns.map(([, key]) => cell(result[key], base[key])),
    result.runs ? `${result.runs.count}: ${result.runs.fewest}–${result.runs.most}` : "",
    result.runs ? `${result.runs.lastMs} ms` : "",
  ]);
  const header = ["per minute and instance", ...columns.map(([name]) => name), "runs", "last start"];
  const table = [header, header.map(() => "---"), ...rows].map((line) => `| ${line.join(" | ")} |`);
  const statements = Object.entries(measured).flatMap(([label, { top }]) =>
    values.statements ? [label, ...top.map(({ perMinute, text }) => `${perMinute}\t${text}`)] : [],
  );
  return [`${title}: ${instances} instances, ${jobs} jobs`, ...table, ...statements].join("\n");
}
