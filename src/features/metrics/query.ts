import {
  findDurationConflict,
  type QuerySource,
  query,
  readQuery,
  requestFilters,
} from "../../http/index.ts";
import type { TimeWindow } from "../../lib/time/time-window.ts";
import { hourMs } from "../../lib/time/units.ts";
import { parseMarks, type RecentMarks } from "./fleet/recent-marks.ts";
import type { RecentFilter } from "./requests/recent-filter.ts";

const defaultPoints = 240;
const maxPoints = 2_000;
const maxRecent = 1_000;
const maxStalls = 1_000;

/** A text that is compared with a column. */
export const storedText = query.text({ maxLength: 300, forbidNull: true });

/** A period and its resolution. */
export function periodAt(now: number, points = defaultPoints) {
  return {
    window: query.window({ to: now, from: (to) => to - hourMs }),
    points: query.int({ min: 1, max: maxPoints, default: points }),
    instance: storedText,
  };
}

/** A period, and which of its stalls to list. */
export function stallQuery({ window, instance }: ReturnType<typeof periodAt>) {
  return { window, instance, trace: storedText, limit: query.int({ min: 1, max: maxStalls, default: 100 }) };
}

/** Times are milliseconds in the API and seconds internally. */
export function inSeconds({ from, to }: TimeWindow): TimeWindow {
  return { from: Math.floor(from / 1_000), to: Math.ceil(to / 1_000) };
}

const recent = {
  limit: query.int({ min: 1, max: maxRecent, default: 100 }),
  after: query.int({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 }),
  route: storedText,
  instance: storedText,
  cursor: query.parsed("the cursor of an earlier response", parseMarks),
  ...requestFilters,
};

export interface RecentQuery {
  readonly limit: number;
  /** Only requests of the instance that responds, after the one with this number; 0 for all. */
  readonly after: number;
  /** Only requests after these. */
  readonly marks: RecentMarks;
  /** Default: all instances. */
  readonly instance: string | undefined;
  readonly filter: RecentFilter;
}

/** Reads a query for recent requests. Its filters are those of the log search that apply to them. */
export function readRecent(source: QuerySource): RecentQuery {
  const given = readQuery(source, recent, findDurationConflict);
  const { limit, after, cursor, instance, route, status, method, path, trace, min_duration, max_duration } =
    given;
  return {
    limit,
    after,
    marks: cursor ?? new Map(),
    instance,
    filter: {
      status: status?.toString(),
      method: method?.toUpperCase(),
      path,
      route,
      traceId: trace,
      minDurationMs: min_duration,
      maxDurationMs: max_duration,
    },
  };
}
