import { listStores } from "../../src/app/databases.ts";
import { features } from "../../src/app/features.ts";
import { argon2id } from "../../src/auth/passwords/passwords.ts";
import { createBlockWriter } from "../../src/features/logging/store/block-writer.ts";
import { createNames } from "../../src/features/metrics/history/names.ts";
import { Slot } from "../../src/features/metrics/history/slot.ts";
import { toReleasedRows } from "../../src/features/metrics/testing/released-rows.ts";
import { finishedRequest } from "../../src/features/metrics/testing/traffic.ts";
import { createDayCounter } from "../../src/features/visitors/days/day-counts.ts";
import { packDay } from "../../src/features/visitors/days/packing.ts";
import { createTraceId } from "../../src/lib/ids.ts";
import { type Database, fileOf, mainFile, openDatabase } from "../../src/storage/index.ts";
import { readChecksums } from "../support/migration-files.ts";

/** What the folder contains. */
export const released = {
  account: { identity: "ada@example.com", password: "correct horse battery" },
  runs: 20_000,
  records: 20_000,
  requestsPerMinute: 3,
  minutes: 2_000,
  visitors: 40,
} as const;

type Tables = Record<string, Record<string, unknown>>;

/** Fills a folder as a program would have left it whose migrations were those of the last release. */
export async function createReleasedFolder(dataDir: string, now: number): Promise<void> {
  const fills: Record<string, (database: Database, now: number) => Promise<void>> = {
    [mainFile]: fillMain,
    "logs.db": fillLogs,
    "metrics.db": fillHistory,
  };
  for (const [file, fill] of Object.entries(fills)) {
    await using database = await openDatabase({ dataDir, ...(file !== mainFile && { file }) });
    await database.migrate(releasedMigrations(file));
    await fill(database, now);
  }
}

function releasedMigrations(file: string) {
  const names = Object.keys(readChecksums()).map((path) => {
    const [, feature, name] = /([\w-]+)\/migrations\/(.+)\.ts$/.exec(path)!;
    return `${feature}/${name}`;
  });
  return listStores(features)
    .filter((store) => (fileOf(store) ?? mainFile) === file)
    .map(({ migrations: { feature, migrations } }) => ({
      feature,
      migrations: Object.fromEntries(
        Object.entries(migrations).filter(([name]) => names.includes(`${feature}/${name}`)),
      ),
    }));
}

async function insert(database: Database, table: string, rows: readonly object[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 200)
    await database
      .tables<Tables>()
      .insertInto(table)
      .values(rows.slice(at, at + 200) as Record<string, unknown>[])
      .execute();
}

async function fillMain(database: Database, now: number): Promise<void> {
  const { identity, password } = released.account;
  const password_hash = await argon2id.hash(password);
  const user = { id: "superuser000001", email: identity, password_hash, generation: 1 };
  await insert(database, "annex_superusers", [{ ...user, created: now, updated: now }]);
  await insert(database, "annex_settings", [
    { name: "metrics.maxMegabytes", value: "77", changed_at: now, changed_by: identity, until: null },
  ]);
  const from = now - 3_600_000;
  const step = 3_500_000 / released.runs;
  const runs = Array.from({ length: released.runs }, (_, index) => {
    const at = Math.floor(from + index * step);
    return {
      ...{ id: `run${String(index).padStart(12, "0")}`, job_id: "nightly", job_name: "Nightly" },
      ...{ status: "success", trigger: "schedule", actor: null, trace_id: createTraceId(), attempt: 1 },
      ...{ scheduled_at: at, started_at: at, ended_at: at + 50, duration_ms: 50, progress: null },
      ...{ output: '[{"level":"info","message":"Done"}]', instance: "gone", tick: `nightly ${at} ${index}` },
      ...{ exclusive: null, cancelled_by: null },
    };
  });
  await insert(database, "annex_cron_runs", runs);
  await insert(database, "annex_cron_jobs", [
    {
      ...{ job_id: "nightly", known_since: from, last_run: now - 100_000, last_status: "success" },
      ...{ success_count: released.runs, failed_count: 0, duration_ms: released.runs * 50 },
    },
  ]);
}

async function fillLogs(database: Database, now: number): Promise<void> {
  const known = new Set(
    (await database.tables<Tables>().introspection.getTables())
      .find(({ name }) => name === "annex_log_blocks")!
      .columns.map(({ name }) => name),
  );
  const rows: object[] = [];
  const table = {
    isShared: false,
    async insert(row: object) {
      // Columns of later migrations do not exist yet.
      rows.push(Object.fromEntries(Object.entries(row).filter(([name]) => known.has(name))));
    },
    replace: async () => {},
    sizesBefore: async () => [],
    removeUpTo: async () => ({ bytes: 0, hasMore: false }),
  };
  const limits = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
  const writer = createBlockWriter(table, { now: () => now - 3_600_000 }, limits, null);
  const perBlock = 500;
  for (let block = 0; block < released.records / perBlock; block++) {
    const at = now - 3_600_000 + block * 1_000;
    const lines = Array.from({ length: perBlock }, (_, index) => {
      const word = block === 0 && index === 7 ? "needle" : "hay";
      const shared = { level: "INFO", time: new Date(at).toISOString(), event: "log" };
      return `${JSON.stringify({ ...shared, trace_id: createTraceId(), word, filler: "x".repeat(120), msg: "Paid" })}\n`;
    });
    const bytes = Buffer.from(lines.join(""));
    await writer.append({ bytes, count: perBlock, firstTime: at, lastTime: at, maxLevel: 0 });
  }
  await insert(database, "annex_log_blocks", rows);
}

async function fillHistory(database: Database, now: number): Promise<void> {
  const names = createNames(database);
  const route = "GET /old/{id}";
  await names.assignIds([route, "cpu.ratio"]);
  const last = Math.floor(now / 60_000) * 60 - 120;
  for (let index = 0; index < released.minutes; index++) {
    const slot = new Slot(60, last - index * 60, "gone");
    for (let count = 0; count < released.requestsPerMinute; count++)
      slot.statsOf(route).add(finishedRequest({ durationMs: 5 + count }));
    slot.samples = 60;
    slot.gaugeOf("cpu.ratio").add(0.5, 0.6, 60);
    await insert(database, "annex_metric_slots", toReleasedRows(slot, "web-1", names));
  }
  const counter = createDayCounter();
  const who = { kind: "human", browser: "Firefox", os: "Linux", device: "desktop", referrer: "" } as const;
  for (let visitor = 0; visitor < released.visitors; visitor++) {
    const sessions = { visitors: 1, returned: 0, sessions: 1, bounces: 0 };
    counter.addVisit({ ...who, entry: "/", hours: 1, ...sessions });
    counter.addView({ ...who, hour: 0, page: "/", views: 2 });
  }
  const counts = packDay(counter.compact());
  const day = Math.floor(now / 86_400_000) - 3;
  await insert(database, "annex_visitor_days", [{ day, counts, bytes: counts.length }]);
}
