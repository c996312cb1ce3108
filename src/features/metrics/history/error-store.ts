import type { Transaction } from "kysely";
import type { Database } from "../../../storage/index.ts";
import type { ErrorGroup } from "../failures/error-log.ts";
import type { ErrorCause, ErrorDetail, ErrorSummary } from "../wire.ts";
import type { MetricTables } from "./tables.ts";

/** The response of the API without its window. */
export type StoredError = Omit<ErrorDetail, "from" | "to" | "step_ms" | "has_earlier">;

/** Filter for errors. Times are seconds since the epoch, in whole minutes. */
export interface ErrorWindow {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** Default: all instances. */
  readonly instance?: string | undefined;
}

export interface ErrorFilter {
  /** As `GET /todos/{id}` or `job backup`. */
  readonly origin?: string | undefined;
  /** Part of the type, message or origin, case-insensitive. */
  readonly text?: string | undefined;
  /** Whether to count the preceding window as well. */
  readonly compare?: boolean;
}

const listed = 200;
/** Maximum number of stored kinds. New kinds are dropped until old ones are deleted. */
export const maxErrorKinds = 1_000;

/** Stores errors. Returns the number of errors dropped because of the limit of kinds. */
export async function writeErrors(
  database: Database,
  instance: string,
  groups: readonly ErrorGroup[],
): Promise<number> {
  if (groups.length === 0) return 0;
  return database.transaction<MetricTables, number>(async (trx) => {
    // All instances write in the same order, to avoid deadlocks.
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
  { fingerprint, type, message, stack, causes: links, origin, count, samples }: ErrorGroup,
): Promise<void> {
  const first_seen = samples[0]!.time;
  const last_seen = samples.at(-1)!.time;
  const causes = JSON.stringify(links);
  await trx
    .insertInto("annex_errors")
    .values({ fingerprint, type, message, stack, causes, origin, first_seen, last_seen, count })
    .onConflict((conflict) =>
      conflict.column("fingerprint").doUpdateSet(({ eb, ref }) => {
        // Another instance may already have stored later errors: the first time must stay the minimum and the last the
        // maximum.
        const ifLater = <Column extends "message" | "stack" | "causes" | "last_seen">(column: Column) =>
          eb
            .case()
            .when("annex_errors.last_seen", "<=", last_seen)
            .then(ref(`excluded.${column}`))
            .else(ref(`annex_errors.${column}`))
            .end();
        return {
          message: ifLater("message"),
          stack: ifLater("stack"),
          causes: ifLater("causes"),
          last_seen: ifLater("last_seen"),
          count: eb(ref("annex_errors.count"), "+", count),
          first_seen: eb
            .case()
            .when("annex_errors.first_seen", ">", first_seen)
            .then(first_seen)
            .else(ref("annex_errors.first_seen"))
            .end(),
        };
      }),
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

/** Lists the kinds of errors in a period, most frequent first, and their total number. */
export async function listErrors(
  database: Database,
  window: ErrorWindow,
  filter: ErrorFilter,
): Promise<{ kinds: number; errors: ErrorSummary[] }> {
  // At most a thousand rows. Text is compared here, because databases differ in case folding.
  const rows = await database
    .tables<MetricTables>()
    .selectFrom("annex_errors")
    .select(["fingerprint", "type", "message", "origin", "first_seen", "last_seen", "count"])
    .where("last_seen", ">=", window.from * 1_000)
    .where("first_seen", "<", window.to * 1_000)
    .execute();
  const counts = Map.groupBy(await readCounts(database, window), toFingerprint);
  const before = filter.compare ? await countBefore(database, window) : undefined;
  const found = rows
    .filter((row) => counts.has(row.fingerprint) && isWanted(row, filter))
    .map((row) => ({
      ...summarize(row, counts.get(row.fingerprint)!, window),
      ...(before && { previous_count: before.get(row.fingerprint) ?? 0 }),
    }))
    .sort((one, other) => other.count - one.count || other.last_seen - one.last_seen);
  return { kinds: found.length, errors: found.slice(0, listed) };
}

type ErrorRow = Omit<MetricTables["annex_errors"], "stack" | "causes">;
type CountRow = MetricTables["annex_error_counts"];

function readCounts(
  database: Database,
  { from, to, instance }: ErrorWindow,
  fingerprint?: string,
): Promise<CountRow[]> {
  let select = database
    .tables<MetricTables>()
    .selectFrom("annex_error_counts")
    .select(["fingerprint", "time", "instance", "count"])
    .where("time", ">=", from)
    .where("time", "<", to);
  if (instance !== undefined) select = select.where("instance", "=", instance);
  if (fingerprint !== undefined) select = select.where("fingerprint", "=", fingerprint);
  return select.execute();
}

/** The number of errors of each kind in the preceding window. */
async function countBefore(database: Database, window: ErrorWindow): Promise<Map<string, number>> {
  const { from, to } = window;
  const counts = new Map<string, number>();
  for (const { fingerprint, count } of await readCounts(database, {
    ...window,
    from: from - (to - from),
    to: from,
  }))
    counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + count);
  return counts;
}

function isWanted({ type, message, origin }: ErrorRow, filter: ErrorFilter): boolean {
  if (filter.origin !== undefined && filter.origin !== origin) return false;
  const text = filter.text?.toLowerCase();
  return text === undefined || [type, message, origin].some((part) => part.toLowerCase().includes(text));
}

function summarize(row: ErrorRow, counts: readonly CountRow[], window: ErrorWindow): ErrorSummary {
  const { count: total, ...rest } = row;
  const { origin, first_seen } = row;
  const job = origin.startsWith(jobPrefix) ? origin.slice(jobPrefix.length) : undefined;
  return {
    ...rest,
    routes: job === undefined ? [origin] : [],
    jobs: job === undefined ? [] : [job],
    total,
    is_new: first_seen >= window.from * 1_000 && first_seen < window.to * 1_000,
    count: counts.reduce((sum, { count }) => sum + count, 0),
    series: toSeries(counts, window),
    instances: countByInstance(counts),
  };
}

function countByInstance(rows: readonly CountRow[]): { instance: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { instance, count } of rows) counts.set(instance, (counts.get(instance) ?? 0) + count);
  return [...counts]
    .map(([instance, count]) => ({ instance, count }))
    .sort((one, other) => other.count - one.count || (one.instance < other.instance ? -1 : 1));
}

/** Prefix of the origin of failed job runs; origins of requests start with the method. */
const jobPrefix = "job ";

function toSeries(rows: readonly CountRow[], { from, to, step }: ErrorWindow): number[] {
  const series = new Array<number>(Math.ceil((to - from) / step)).fill(0);
  for (const { time, count } of rows) series[Math.floor((time - from) / step)]! += count;
  return series;
}

export async function findError(
  database: Database,
  fingerprint: string,
  window: ErrorWindow,
): Promise<StoredError | undefined> {
  const tables = database.tables<MetricTables>();
  const row = await tables
    .selectFrom("annex_errors")
    .selectAll()
    .where("fingerprint", "=", fingerprint)
    .executeTakeFirst();
  if (!row) return undefined;
  const { instance } = window;
  const samples = await tables
    .selectFrom("annex_error_samples")
    .select(["time", "trace_id", "instance", "message"])
    .where("fingerprint", "=", fingerprint)
    .$if(instance !== undefined, (select) => select.where("instance", "=", instance!))
    .orderBy("time", "desc")
    .limit(20)
    .execute();
  const { stack, causes: json, ...rest } = row;
  const causes: ErrorCause[] = JSON.parse(json);
  const counts = await readCounts(database, window, fingerprint);
  return { ...summarize(rest, counts, window), stack, causes, samples };
}
