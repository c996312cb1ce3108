/**
 * A process that fills an empty folder or database through the codecs of a checkout, and measures the queries and the
 * deletions of that checkout on it.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../src/index.ts";
import { type Checkout, createCheckout, type Place } from "./checkout.ts";
import { measureDeletions } from "./deletions.ts";
import { fillLogs } from "./fill/logs.ts";
import { fillMetrics } from "./fill/metrics.ts";
import { fillRuns } from "./fill/runs.ts";
import { fillVisitors } from "./fill/visitors.ts";
import { type Cost, measureCalls, measureCost } from "./meter.ts";
import { type Filled, listQueries, type Query } from "./queries.ts";
import type { Unit } from "./unit.ts";

export interface SubjectOptions extends Place {
  readonly unit: Unit;
  readonly rounds: number;
  /** Whether only sizes are measured. */
  readonly sizesOnly: boolean;
}

export interface SubjectResult {
  /** Bytes on disk of each store. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly costs: readonly ({ readonly name: string } & Cost)[];
}

const account = { identity: "root@example.org", password: "correct horse battery" };
/** A search that would take longer is measured until then. */
const mostPages = 2_000;
const options = JSON.parse(process.argv[2]!) as SubjectOptions;
const { unit, rounds, dataDir, url, sizesOnly } = options;
const checkout = createCheckout(options);
const day = 86_400_000;
const now = Math.floor(Date.now() / 60_000) * 60_000;
const logsFrom = Math.floor(now - unit.logDays * day);
const runsFrom = Math.floor(now - unit.runDays * day);

const sizes: Record<string, number> = {};
await openSchema(checkout);
const { trace } = await sized("logs", () =>
  fillLogs(checkout, { records: unit.records, from: logsFrom, to: now - 1_000 }),
);
await sized("runs", () => fillRuns(checkout, { runs: unit.runs, from: runsFrom, to: now - 1_000 }));
const { minuteDays, hourDays } = unit;
await sized("metrics", () => fillMetrics(checkout, { minuteDays, hourDays, to: now / 1_000 }));
await sized("visitors", () =>
  fillVisitors(checkout, { days: unit.visitorDays, perDay: unit.visitorsPerDay, to: now }),
);
const filled: Filled = { now, logsFrom, runsFrom, runs: unit.runs, trace };
const costs = sizesOnly
  ? []
  : [
      ...(await measureQueries()),
      ...(await measureDeletions(checkout, filled, { logs: sizes.logs!, metrics: sizes.metrics! })),
    ];
process.send!({ sizes, costs } satisfies SubjectResult, () => process.exit(0));

/** Creates all tables, so that the sizes of the stores are those of their rows. */
async function openSchema({ load }: Checkout): Promise<void> {
  const app = await createServer(load);
  // Before the start, which would print a link for the first superuser.
  await app.superusers.create(account.identity, account.password);
  await app.start();
  await app.stop();
}

async function createServer(load: Checkout["load"]): Promise<App> {
  const { createApp } = await load<typeof import("../../src/index.ts")>("index.ts");
  return createApp({
    port: 0,
    dataDir,
    signals: false,
    // On a busy machine, the first query of a filled database is slow.
    ...(url !== undefined && { database: url, databaseTimeoutMs: 120_000 }),
    // Nothing is deleted while the queries are measured.
    cron: { logRetentionHours: 87_600, maxRuns: 100_000_000 },
    log: { maxMegabytes: 1_000_000, retentionHours: 87_600, destination: join(dataDir, "app.log") },
    metrics: { maxMegabytes: 1_000_000, stallMs: 0 },
  });
}

async function sized<Result>(store: string, fill: () => Promise<Result>): Promise<Result> {
  const before = await readSize();
  const begin = performance.now();
  const result = await fill();
  sizes[store] = (await readSize()) - before;
  process.stderr.write(`  ${store} filled in ${((performance.now() - begin) / 1_000).toFixed(1)} s\n`);
  return result;
}

async function readSize(): Promise<number> {
  if (url !== undefined) {
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    // Tables and indexes; the size of the database also contains the catalog.
    const { rows } = await client
      .query<{ bytes: string }>(
        "select sum(pg_total_relation_size(oid)) as bytes from pg_class where relname like 'annex%' and relkind = 'r'",
      )
      .finally(() => client.end());
    return Number(rows[0]!.bytes);
  }
  const files = readdirSync(dataDir).filter((name) => /\.db(-wal)?$/.test(name));
  return files.reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0);
}

async function measureQueries(): Promise<({ name: string } & Cost)[]> {
  const app = await createServer(checkout.load);
  await app.start();
  const authorization = await signIn(app);
  const ask = async (path: string) => {
    const { status, body } = await app.inject({ url: path, headers: { authorization } });
    if (status !== 200) throw new Error(`${path}: ${status} ${body.slice(0, 200)}`);
    return body;
  };
  const measured: ({ name: string } & Cost)[] = [];
  for (const query of listQueries(filled)) {
    const cost = query.isSearch
      ? await measureCost(() => search(query, ask))
      : await measureCalls(rounds, (round) => ask(query.urlAt?.(round) ?? query.url));
    measured.push({ name: query.name, ...cost });
  }
  await app.stop();
  return measured;
}

async function signIn(app: App): Promise<string> {
  const url = "/api/collections/_superusers/auth-with-password";
  const { body } = await app.inject({ method: "POST", url, body: account });
  return (JSON.parse(body) as { token: string }).token;
}

async function search({ url }: Query, ask: (path: string) => Promise<string>): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const more = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const found = JSON.parse(await ask(`${url}${more}`)) as { items?: unknown[]; cursor?: string };
    if (found.items?.length || found.cursor === undefined) return;
    cursor = found.cursor;
  }
}
