import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import pg from "pg";
import { settles } from "../../src/lib/testing/until.ts";
import type { FromInstances, InstancesOptions } from "./instances.ts";
import type { Scenario } from "./scenario.ts";

/** What an instance costs per minute. */
export interface Measurement {
  readonly statements: number;
  readonly rows: number;
  /** Time that the database spent on its statements, including waits for locks. */
  readonly databaseMs: number;
  readonly cpuMs: number;
  /** How the runs of the measured minute were spread, if jobs were due. */
  readonly runs?: Spread;
  /** The most frequent statements of all instances. */
  readonly top: readonly { readonly perMinute: number; readonly text: string }[];
}

export interface Spread {
  readonly count: number;
  readonly fewest: number;
  readonly most: number;
  /** How long after its scheduled time the last run started. */
  readonly lastMs: number;
}

/** A machine cannot run one process for each of 50 instances. */
const perProcess = 10;
/** New instances load their jobs, and plan them. */
const warmUpMs = 8_000;
const processFile = join(import.meta.dirname, "instances.ts");
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Starts the instances of a checkout on an empty database, and measures them. */
export async function measure(checkout: string, url: string, scenario: Scenario): Promise<Measurement> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("create extension pg_stat_statements");
  const processes: ChildProcess[] = [];
  try {
    for (let first = 0; first < scenario.instances; first += perProcess) {
      const count = Math.min(perProcess, scenario.instances - first);
      const started = await startProcess({ checkout, url, first, count, scenario });
      processes.push(started);
    }
    await pause(warmUpMs);
    await avoidMinute(scenario);
    return await measureStarted(client, processes, scenario);
  } finally {
    for (const child of processes) child.disconnect();
    await Promise.all(processes.map((child) => settles("an instance ends", once(child, "exit"))));
    await client.end();
  }
}

async function startProcess(options: InstancesOptions): Promise<ChildProcess> {
  // Applications print a link for the first superuser.
  const errors = options.scenario.kind === "applications" ? "ignore" : "inherit";
  const child = fork(processFile, [JSON.stringify(options)], {
    stdio: ["ignore", "ignore", errors, "ipc"],
  });
  await settles("the instances start", nextMessage(child));
  return child;
}

/** A window of a minute has one tick of each job, unless it begins or ends with one. */
async function avoidMinute({ due }: Scenario): Promise<void> {
  const second = (Date.now() / 1_000) % 60;
  if (due === "never") return;
  if (second < 15) await pause((15 - second) * 1_000);
  else if (second > 50) await pause((75 - second) * 1_000);
}

async function measureStarted(
  client: pg.Client,
  processes: readonly ChildProcess[],
  scenario: Scenario,
): Promise<Measurement> {
  const { instances, seconds, due } = scenario;
  const from = Date.now();
  const cpuBefore = await readCpu(processes);
  await client.query("select pg_stat_statements_reset()");
  await pause(seconds * 1_000);
  const statements = await readStatements(client);
  const cpuMs = (await readCpu(processes)) - cpuBefore;
  const sum = (key: "calls" | "rows" | "ms") => statements.reduce((total, row) => total + row[key], 0);
  const perMinute = (value: number) => (value * 60) / seconds;
  return {
    statements: perMinute(sum("calls")) / instances,
    rows: perMinute(sum("rows")) / instances,
    databaseMs: perMinute(sum("ms")) / instances,
    cpuMs: perMinute(cpuMs) / instances,
    ...(due !== "never" && { runs: await readSpread(client, from, instances) }),
    top: statements.slice(0, 12).map(({ calls, text }) => ({
      perMinute: Math.round(perMinute(calls)),
      text: text.replaceAll(/\s+/g, " ").slice(0, 100),
    })),
  };
}

interface StatementRow {
  readonly text: string;
  readonly calls: number;
  readonly rows: number;
  readonly ms: number;
}

async function readStatements(client: pg.Client): Promise<StatementRow[]> {
  const { rows } = await client.query<StatementRow>(`
    select query as text, calls::int, rows::int, total_exec_time as ms from pg_stat_statements
    join pg_database on pg_database.oid = dbid
    where datname = current_database() and query not like '%pg_stat_statements%' order by calls desc`);
  return rows;
}

async function readSpread(client: pg.Client, from: number, instances: number): Promise<Spread> {
  const { rows } = await client.query<{ runs: number; late: number }>(
    `select count(*)::int as runs, max(started_at - scheduled_at)::int as late from annex_cron_runs
    where scheduled_at > $1 and trigger = 'schedule' group by instance`,
    [from],
  );
  const counts = rows.map(({ runs }) => runs);
  return {
    count: counts.reduce((total, runs) => total + runs, 0),
    fewest: rows.length < instances ? 0 : Math.min(...counts),
    most: Math.max(0, ...counts),
    lastMs: Math.max(0, ...rows.map(({ late }) => late)),
  };
}

async function readCpu(processes: readonly ChildProcess[]): Promise<number> {
  const values = await Promise.all(
    processes.map(async (child) => {
      const response = settles("an instance reports its CPU time", nextMessage(child));
      child.send("cpu");
      const message = await response;
      return "cpuMs" in message ? message.cpuMs : 0;
    }),
  );
  return values.reduce((total, value) => total + value, 0);
}

async function nextMessage(child: ChildProcess): Promise<FromInstances> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The process of the instances ended with ${code}.`);
  });
  const [message] = await Promise.race([once(child, "message"), ended]);
  return message as FromInstances;
}
