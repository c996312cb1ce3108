import type { Transaction } from "kysely";
import type { Database } from "../../storage/index.ts";
import type { ErrorGroup } from "../failures/error-log.ts";
import type { MetricTables } from "./tables.ts";

/** Errors of one kind within a window. */
export interface ErrorSummary {
  readonly fingerprint: string;
  readonly type: string;
  readonly message: string;
  readonly origin: string;
  /** Milliseconds, over all time. */
  readonly first_seen: number;
  readonly last_seen: number;
  readonly total: number;
  /** Within the window, and by its steps. */
  readonly count: number;
  readonly series: number[];
}

export interface ErrorDetail extends Omit<ErrorSummary, "count" | "series"> {
  readonly stack: string;
  readonly samples: { time: number; trace_id: string; instance: string; message: string }[];
}

const listed = 200;
/** Different kinds that are kept at a time; further ones are left out until some are forgotten. */
export const maxErrorKinds = 1_000;

/** Adds errors to what is known of them; tells how many were of a kind too many. */
export async function writeErrors(
  database: Database,
  instance: string,
  groups: readonly ErrorGroup[],
): Promise<number> {
  if (groups.length === 0) return 0;
  return database.transaction<MetricTables, number>(async (trx) => {
    // In one order for all instances, so that two of them never wait for each other.
    const ordered = [...groups].sort((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1));
    const known = new Set(
      (await trx.selectFrom("annex_errors").select("fingerprint").execute()).map(toFingerprint),
    );
    let left = 0;
    for (const group of ordered) {
      if (known.size >= maxErrorKinds && !known.has(group.fingerprint)) left += group.count;
      else {
        known.add(group.fingerprint);
        await addGroup(trx, instance, group);
      }
    }
    return left;
  });
}

const toFingerprint = ({ fingerprint }: { fingerprint: string }) => fingerprint;

async function addGroup(
  trx: Transaction<MetricTables>,
  instance: string,
  { fingerprint, type, message, stack, origin, count, samples }: ErrorGroup,
): Promise<void> {
  const first_seen = samples[0]!.time;
  const last_seen = samples.at(-1)!.time;
  await trx
    .insertInto("annex_errors")
    .values({ fingerprint, type, message, stack, origin, first_seen, last_seen, count })
    .onConflict((conflict) =>
      conflict.column("fingerprint").doUpdateSet(({ eb, ref }) => ({
        message,
        stack,
        count: eb(ref("annex_errors.count"), "+", count),
        last_seen: eb
          .case()
          .when("annex_errors.last_seen", "<", last_seen)
          .then(last_seen)
          .else(ref("annex_errors.last_seen"))
          .end(),
      })),
    )
    .execute();
  const seconds = Math.floor(last_seen / 1_000);
  const time = seconds - (seconds % 60);
  await trx
    .insertInto("annex_error_counts")
    .values({ fingerprint, time, instance, count })
    .onConflict((conflict) =>
      conflict
        .columns(["time", "fingerprint", "instance"])
        .doUpdateSet(({ eb, ref }) => ({ count: eb(ref("annex_error_counts.count"), "+", count) })),
    )
    .execute();
  await trx
    .insertInto("annex_error_samples")
    .values(
      samples.map(({ time, traceId, message }) => ({
        fingerprint,
        time,
        trace_id: traceId,
        instance,
        message,
      })),
    )
    .onConflict((conflict) => conflict.columns(["fingerprint", "time", "trace_id"]).doNothing())
    .execute();
}

/** The kinds of errors that came up between two moments, in whole minutes, the most frequent first. */
export async function listErrors(
  database: Database,
  from: number,
  to: number,
  step: number,
  instance?: string,
): Promise<ErrorSummary[]> {
  const tables = database.tables<MetricTables>();
  const select = tables
    .selectFrom("annex_error_counts")
    .select(["fingerprint", "time", "count"])
    .where("time", ">=", from)
    .where("time", "<", to);
  const counts = await (instance === undefined ? select : select.where("instance", "=", instance)).execute();
  const groups = Map.groupBy(counts, ({ fingerprint }) => fingerprint);
  const sumOf = (rows: typeof counts) => rows.reduce((sum, { count }) => sum + count, 0);
  const most = [...groups].sort(([, one], [, other]) => sumOf(other) - sumOf(one)).slice(0, listed);
  if (most.length === 0) return [];
  const rows = await tables
    .selectFrom("annex_errors")
    .select(["fingerprint", "type", "message", "origin", "first_seen", "last_seen", "count"])
    .where(
      "fingerprint",
      "in",
      most.map(([fingerprint]) => fingerprint),
    )
    .execute();
  const byFingerprint = new Map(rows.map((row) => [row.fingerprint, row]));
  return most.flatMap(([fingerprint, some]) => {
    const row = byFingerprint.get(fingerprint);
    if (!row) return [];
    const { count: total, ...rest } = row;
    return [{ ...rest, total, count: sumOf(some), series: toSeries(some, from, to, step) }];
  });
}

function toSeries(rows: readonly { time: number; count: number }[], from: number, to: number, step: number) {
  const series = new Array<number>(Math.ceil((to - from) / step)).fill(0);
  for (const { time, count } of rows) series[Math.floor((time - from) / step)]! += count;
  return series;
}

export async function findError(database: Database, fingerprint: string): Promise<ErrorDetail | undefined> {
  const tables = database.tables<MetricTables>();
  const row = await tables
    .selectFrom("annex_errors")
    .selectAll()
    .where("fingerprint", "=", fingerprint)
    .executeTakeFirst();
  if (!row) return undefined;
  const samples = await tables
    .selectFrom("annex_error_samples")
    .select(["time", "trace_id", "instance", "message"])
    .where("fingerprint", "=", fingerprint)
    .orderBy("time", "desc")
    .limit(20)
    .execute();
  const { count: total, ...rest } = row;
  return { ...rest, total, samples };
}
