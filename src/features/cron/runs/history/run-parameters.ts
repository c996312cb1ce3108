import {
  invalidParameter,
  type Problems,
  type QuerySource,
  type QueryValues,
  query,
  readQuery,
} from "../../../../http/index.ts";
import { runStatuses, triggers } from "../../tables.ts";
import type { RunQuery } from "./run-query.ts";
import { type RunSelection, runSortFields } from "./run-selection.ts";

/** Query parameters that select runs. */
export const runParameters = {
  trace_id: query.text({ maxLength: 128, forbidNull: true }),
  status: query.list(runStatuses),
  trigger: query.list(triggers),
  from: query.time(),
  to: query.time(),
  page: query.page({ perPage: 20 }),
  sort: query.sort(runSortFields, "-start_time"),
};

type RunValues = QueryValues<typeof runParameters>;

export function findRunConflicts({ from, to }: Partial<RunValues>): Problems {
  const areInOrder = from === undefined || to === undefined || to > from;
  return areInOrder ? {} : invalidParameter("to", "later than from");
}

export function toRunSelection(given: RunValues): RunSelection {
  const { trace_id, status, trigger, from, to, page, sort } = given;
  return { traceId: trace_id, statuses: status, triggers: trigger, from, to, ...page, sort };
}

/** Validates a query of the program. Defaults, limits and errors are those of the API. */
export function parseRunQuery(given: RunQuery): RunSelection {
  const selection = toRunSelection(readQuery(toSource(given), runParameters, findRunConflicts));
  return { ...selection, jobId: given.jobId };
}

function toSource({ traceId, status, trigger, from, to, page, perPage, sort }: RunQuery): QuerySource {
  const texts: Readonly<Record<string, string | undefined>> = {
    trace_id: traceId,
    status,
    trigger,
    from: toTimeText(from),
    to: toTimeText(to),
    page: page?.toString(),
    perPage: perPage?.toString(),
    sort,
  };
  return {
    queryAll(name) {
      const text = texts[name];
      return text === undefined ? [] : [text];
    },
  };
}

/** The latest time that a query accepts. No run is later, and none is earlier than the epoch. */
const latest = 999_999_999_999_999;

function toTimeText(time: RunQuery["from"]): string | undefined {
  if (time === undefined || typeof time === "string") return time;
  return String(Math.min(Math.max(Number(time), 0), latest));
}
