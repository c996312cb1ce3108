import type { Database } from "../../../storage/index.ts";
import type * as wire from "../wire/stalls.ts";
import type { MetricTables } from "./tables.ts";

/** Times are milliseconds. */
export interface StallQuery {
  readonly from: number;
  readonly to: number;
  readonly instance?: string | undefined;
  readonly traceId?: string | undefined;
  readonly limit: number;
}

export interface StallPage {
  /** Number of all stalls in the period. */
  readonly count: number;
  /** Their total duration. */
  readonly total_ms: number;
  /** The newest ones, newest first. */
  readonly stalls: readonly wire.Stall[];
}

export async function writeStalls(database: Database, stalls: readonly wire.Stall[]): Promise<void> {
  if (stalls.length === 0) return;
  const rows = stalls.map(({ started_at, instance, duration_ms, ...rest }) => ({
    started_at,
    instance,
    duration_ms,
    trace_id: rest.cause?.trace_id ?? "",
    detail: JSON.stringify(rest),
  }));
  await database
    .tables<MetricTables>()
    .insertInto("annex_stalls")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["started_at", "instance"]).doNothing())
    .execute();
}

export async function listStalls(database: Database, query: StallQuery): Promise<StallPage> {
  const { from, to, instance, traceId, limit } = query;
  let select = database
    .tables<MetricTables>()
    .selectFrom("annex_stalls")
    .where("started_at", ">=", from)
    .where("started_at", "<", to);
  if (instance !== undefined) select = select.where("instance", "=", instance);
  if (traceId !== undefined) select = select.where("trace_id", "=", traceId);
  const { count, total } = await select
    .select(({ fn }) => [fn.countAll<number>().as("count"), fn.sum<number | null>("duration_ms").as("total")])
    .executeTakeFirstOrThrow();
  const rows = await select.selectAll().orderBy("started_at", "desc").limit(limit).execute();
  return { count: Number(count), total_ms: Number(total ?? 0), stalls: rows.map(toStall) };
}

function toStall({ started_at, instance, duration_ms, detail }: MetricTables["annex_stalls"]): wire.Stall {
  return { started_at, instance, duration_ms, ...(JSON.parse(detail) as StallDetail) };
}

type StallDetail = Omit<wire.Stall, "started_at" | "instance" | "duration_ms">;
