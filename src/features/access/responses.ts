import { type AccessKind, accessKinds } from "../../auth/index.ts";
import type { AccessPage, AccessSummary, Ranked, StoredRow } from "./queries.ts";
import { formatCursor } from "./query-parameters.ts";
import type * as wire from "./wire.ts";

/** Converts a row to JSON. Times are milliseconds since the epoch. */
export function toRowResponse({ firstAt, lastAt, traceId, isOverflow, ...row }: StoredRow): wire.AccessEvent {
  const { id, kind, account, actor, address, agent, detail, instance, count } = row;
  return {
    id,
    time: firstAt,
    last_time: lastAt,
    kind,
    account,
    actor,
    address,
    agent,
    trace_id: traceId,
    detail,
    instance,
    count,
    overflow: isOverflow,
  };
}

export function toPageResponse({ rows, cursor }: AccessPage): wire.AccessPage {
  return { events: rows.map(toRowResponse), cursor: cursor && formatCursor(cursor) };
}

export function toSummaryResponse(summary: AccessSummary, retentionDays: number): wire.AccessSummary {
  const { from, to, stepMs, series, overflow, addresses, accounts } = summary;
  return {
    from,
    to,
    step_ms: stepMs,
    kinds: Object.fromEntries(accessKinds.map((kind) => [kind, sumOf(series[kind])])) as Record<
      AccessKind,
      number
    >,
    series,
    overflow,
    addresses: addresses.map(toRankedResponse),
    accounts: accounts.map(toRankedResponse),
    retention_days: retentionDays,
  };
}

function sumOf(values: readonly number[] = []): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function toRankedResponse({ name, count, failures, lastAt }: Ranked): wire.RankedName {
  return { name, count, failures, last_time: lastAt };
}
