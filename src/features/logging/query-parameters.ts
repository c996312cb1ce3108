import {
  findDurationConflict,
  invalidParameter,
  maxPathLength,
  type Problems,
  type QuerySource,
  type QueryValues,
  query,
  readQuery,
  requestFilters,
} from "../../http/index.ts";
import { hourMs } from "../../lib/time/units.ts";
import { expectedLevel, findLevel, type LogLevel } from "./levels.ts";
import { isCursor } from "./store/search/cursor.ts";
import { type FieldValue, isAboutRequests, type LogQuery, maxLimit } from "./store/search/query.ts";
import { requestEvent } from "./store/search/request-filters.ts";
import type { VolumeQuery } from "./store/search/volume.ts";
import type * as wire from "./wire.ts";

/** Converts query parameters of the log routes to store queries. */

const limits: wire.SearchLimits = { conditions: 10, pathLength: maxPathLength, records: maxLimit };
const maxConditions = limits.conditions;
const maxFieldLength = 200;
const maxValueLength = 2_000;
const withinLengths = `, with a field of 1 to ${maxFieldLength} characters and a value of at most ${maxValueLength}`;

const conditions = query.repeated(
  `field:value, at most ${maxConditions} times${withinLengths}`,
  parseFieldValue,
  maxConditions,
);

export const instanceName = query.text({ maxLength: 300, forbidNull: true });

const filters = {
  from: query.time(),
  to: query.time(),
  level: query.parsed(expectedLevel, findLevel),
  levels: query.parsed(`one or more levels, separated by commas, each ${expectedLevel}`, findLevels),
  text: query.text(),
  event: query.text(),
  instance: instanceName,
  ...requestFilters,
  where: conditions,
  not: conditions,
};

type Filters = QueryValues<typeof filters>;

/** Reads the query for a page of records. */
export function readSearch(source: QuerySource): LogQuery {
  const { limit, cursor, ...given } = readQuery(
    source,
    {
      ...filters,
      limit: query.int({ min: 1, max: maxLimit }),
      cursor: query.parsed("the cursor of a previous page", (text) => (isCursor(text) ? text : undefined)),
    },
    findConflicts,
  );
  return { ...toLogQuery(given), limit, cursor };
}

/** Maximum number of records in an export. */
const maxFile = 100_000;

export interface FileQuery {
  readonly query: LogQuery;
  readonly limit: number;
}

const fileLimit = query.int({ min: 1, max: maxFile, default: maxFile });

export function readFile(source: QuerySource): FileQuery {
  const { limit, ...given } = readQuery(source, { ...filters, limit: fileLimit }, findConflicts);
  return { query: toLogQuery(given), limit };
}

/** Reads the query for an export of requests, which contains no other records. */
export function readRequestFile(source: QuerySource): FileQuery {
  const event = query.oneOf([requestEvent], { default: requestEvent });
  const { limit, ...given } = readQuery(source, { ...filters, event, limit: fileLimit }, findConflicts);
  return { query: toLogQuery(given), limit };
}

const defaultPoints = 120;
const maxPoints = 2_000;

export function readVolume(source: QuerySource, now: number): VolumeQuery {
  const { window, points, before, ...given } = readQuery(
    source,
    {
      ...filters,
      window: query.window({ to: now, from: (to) => to - hourMs }),
      points: query.int({ min: 1, max: maxPoints, default: defaultPoints }),
      before: query.time(),
    },
    findConflicts,
  );
  return { ...toLogQuery(given), ...window, points, before };
}

function toLogQuery({ trace, min_duration, max_duration, ...given }: Partial<Filters>): LogQuery {
  return { ...given, traceId: trace, minDurationMs: min_duration, maxDurationMs: max_duration };
}

function findConflicts(given: Partial<Filters>): Problems {
  const { from = 0, to = from, event = requestEvent } = given;
  const requestsOnly = `${requestEvent} or omitted, because only requests have a method, status, path and duration`;
  const isContradictory = event !== requestEvent && isAboutRequests(toLogQuery(given));
  return {
    ...(to < from && invalidParameter("to", "no earlier than from")),
    ...findDurationConflict(given),
    ...(isContradictory && invalidParameter("event", requestsOnly)),
  };
}

function findLevels(text: string): LogLevel[] | undefined {
  const found = text.split(",").map(findLevel);
  return found.every((level) => level !== undefined) ? found : undefined;
}

/** The value can contain colons and can be empty. */
function parseFieldValue(text: string): FieldValue | undefined {
  const colon = text.indexOf(":");
  const [field, value] = [text.slice(0, colon), text.slice(colon + 1)];
  const isValid = colon > 0 && field.length <= maxFieldLength && value.length <= maxValueLength;
  return isValid ? { field, value } : undefined;
}
