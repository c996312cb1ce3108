import { join } from "node:path";
import { sql } from "kysely";
import { createCheckout } from "../../bench/growth/checkout.ts";
import { fillLogs } from "../../bench/growth/fill/logs.ts";
import { fillMetrics } from "../../bench/growth/fill/metrics.ts";
import { fillRuns } from "../../bench/growth/fill/runs.ts";
import { fillVisitors } from "../../bench/growth/fill/visitors.ts";
import { type Database, openDatabase } from "../../src/storage/index.ts";
import { createFilledApp } from "./app.ts";

export const account = { identity: "root@example.org", password: "correct horse battery" };

export interface Filled {
  readonly dataDir: string;
  readonly now: number;
  readonly logsFrom: number;
  readonly runsFrom: number;
  /** The trace ID of a record in the oldest block of the log. */
  readonly trace: string;
  /** The ID of the superuser with many sessions. */
  readonly superuser: string;
  /** The ID of the oldest run. */
  readonly run: string;
}

const day = 86_400_000;

/** Fills an empty folder: as much in every table that a scan of one of them is visible. */
export async function fillFolder(dataDir: string): Promise<Filled> {
  const app = createFilledApp(dataDir);
  // Before the start, which would print a link for the first superuser.
  const { id } = await app.superusers.create(account.identity, account.password);
  await app.start();
  await app.stop();
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const checkout = createCheckout({ folder: join(import.meta.dirname, "../.."), dataDir });
  const logsFrom = now - 7 * day;
  const runsFrom = now - 30 * day;
  const { trace } = await fillLogs(checkout, { records: 40_000, from: logsFrom, to: now - 1_000 });
  await fillRuns(checkout, { runs: 16_000, from: runsFrom, to: now - 1_000 });
  await fillMetrics(checkout, { minuteDays: 7, hourDays: 90, to: now / 1_000 });
  await fillVisitors(checkout, { days: 100, perDay: 500, to: now });
  await using main = await openDatabase({ dataDir, durability: "normal" });
  await main.transaction<unknown, void>((trx) => fillMain(trx, id, now));
  await using history = await openDatabase({ dataDir, file: "metrics.db", durability: "normal" });
  await history.transaction<unknown, void>((trx) => fillHistory(trx, now));
  const { run } = await main
    .tables<{ annex_cron_runs: { id: string; started_at: number } }>()
    .selectFrom("annex_cron_runs")
    .select("id as run")
    .orderBy("started_at")
    .limit(1)
    .executeTakeFirstOrThrow();
  return { dataDir, now, logsFrom, runsFrom, trace, superuser: id, run };
}

type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** Inserts rows that differ by a number `i` from 1 to `count`. The texts are SQL. */
async function insert(
  trx: Transaction,
  table: string,
  count: number,
  columns: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  const values = Object.values(columns).map((value) => value ?? "null");
  await sql
    .raw(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
       insert into ${table} (${names.join(", ")}) select ${values.join(", ")} from n`,
    )
    .execute(trx);
}

const text = (value: string) => `'${value}'`;
const choose = (of: string, ...values: string[]) =>
  `case ${of} % ${values.length} ${values.map((value, index) => `when ${index} then '${value}'`).join(" ")} end`;

async function fillMain(trx: Transaction, superuser: string, now: number): Promise<void> {
  await insert(trx, "annex_access", 20_000, {
    id: "'access' || i",
    first_at: `${now} - (20000 - i) * 125000`,
    last_at: `${now} - (20000 - i) * 125000 + 5000`,
    kind: choose("i", "sign-in-failed", "sign-in", "sign-in-failed", "access-refused", "sign-out"),
    account: "'user' || (i % 300) || '@example.org'",
    actor: null,
    address: "'203.0.' || (i % 113) || '.' || (i % 7)",
    agent: text("curl/8.5.0"),
    trace_id: "printf('access%012d', i)",
    detail: text("by API"),
    instance: "'web-' || (i % 3)",
    count: 1,
    is_overflow: 0,
  });
  await insert(trx, "annex_changes", 12_000, {
    at: `${now} - (12000 - i) * 2000000`,
    actor: text("ada@example.org"),
    instance: text("web-1"),
    kind: `case when i % 6 = 0 then 'start' else ${choose("i", "setting", "revert", "run", "pause", "resume")} end`,
    subject: text("logLevel"),
    before: text('"info"'),
    after: text('"debug"'),
    detail: null,
  });
  await insert(trx, "annex_superusers", 300, {
    id: "printf('other%010d', i)",
    email: "'other' || i || '@example.org'",
    password_hash: text("none"),
    generation: 1,
    created: now,
    updated: now,
  });
  await insert(trx, "annex_tokens", 16_000, {
    hash: "'hash' || i",
    kind: choose("i", "token", "session"),
    superuser_id: `case when i <= 14000 then '${superuser}' else printf('other%010d', i % 300 + 1) end`,
    generation: `(select generation from annex_superusers where id = '${superuser}')`,
    created: `${now} - i * 1000`,
    expires: `${now} + ${7 * day} - i * 1000`,
    signed_in: `${now} - i * 1000`,
    last_used: `${now} - i * 1000`,
    address: text("203.0.113.7"),
    agent: text("curl/8.5.0"),
  });
  for (const [table, column] of [
    ["annex_login_attempts", "expires"],
    ["annex_rate_limits", "ends_at"],
  ] as const)
    await insert(trx, table, 16_000, { key: "'key' || i", count: 1, [column]: now + day });
  await insert(trx, "annex_saved_views", 100, {
    id: "printf('view%011d', i)",
    superuser_id: text(superuser),
    name: "'View ' || i",
    name_key: "'view ' || i",
    address: text("/_/_/logs"),
    created: now,
    updated: now,
  });
  await insert(trx, "annex_cron_jobs", 16_000, {
    job_id: "'gone-' || i",
    removed_at: `${now} - i * 1000`,
    removed_by: text("ada@example.org"),
    registered_at: now - day,
    last_run: `${now} - i * 1000000`,
    last_status: text("success"),
    success_count: 0,
  });
  await insert(trx, "annex_cron_queue", 16_000, {
    id: "printf('queue%010d', i)",
    job_id: "'job-0' || printf('%02d', i % 20)",
    run_at: `${now} + ${day} + i * 60000`,
    created_at: now,
    trigger: text("manual"),
    actor: text("ada@example.org"),
    trace_id: "printf('queued%012d', i)",
    scheduled_at: `${now} + ${day} + i * 60000`,
    attempt: 1,
  });
}

async function fillHistory(trx: Transaction, now: number): Promise<void> {
  await insert(trx, "annex_errors", 1_000, {
    fingerprint: "printf('fingerprint%05d', i)",
    type: text("TypeError"),
    message: "'Cannot read order ' || i",
    stack: text("TypeError: at read (src/orders.ts:1:2)"),
    origin: "'GET /orders/' || (i % 50)",
    first_seen: `${now} - ${30 * day} + i * 1000`,
    last_seen: `${now} - i * 1000`,
    count: 12,
  });
  await insert(trx, "annex_error_counts", 20_000, {
    time: `${Math.floor(now / 1_000)} - (i / 5) * 60`,
    fingerprint: "printf('fingerprint%05d', i % 1000 + 1)",
    instance: "'web-' || (i % 3)",
    count: 1,
  });
  await insert(trx, "annex_error_samples", 20_000, {
    fingerprint: "printf('fingerprint%05d', i % 1000 + 1)",
    time: `${now} - i * 1000`,
    trace_id: "printf('sample%012d', i)",
    instance: "'web-' || (i % 3)",
    message: text("Cannot read order"),
  });
  await insert(trx, "annex_stalls", 2_000, {
    started_at: `${now} - i * 60000`,
    instance: "'web-' || (i % 3)",
    duration_ms: 320,
    trace_id: "printf('stall%013d', i)",
    detail: text('{"in_flight":[],"in_flight_count":0,"stack":[]}'),
  });
  await insert(trx, "annex_metric_instances", 2_000, {
    instance: "'web-' || i",
    started_at: `${Math.floor(now / 1_000)} - i * 100`,
    seen_at: `${Math.floor(now / 1_000)} - i * 10`,
    description: text('{"app_release":"1.4.0","annex_version":"0.1.0","node_version":"24.11.0"}'),
  });
}
