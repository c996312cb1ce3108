import { createPathPattern } from "../../../../lib/path-pattern.ts";
import { escapeText } from "../../request-record.ts";
import { createFieldFilter, type Filter } from "./filter.ts";
import { isAboutRequests, type LogQuery } from "./query.ts";

export const requestEvent = "http_request";

/** Creates the filters for `http_request` records. */
export function createRequestFilters(query: LogQuery): Filter[] {
  if (!isAboutRequests(query)) return [];
  const {
    method,
    status,
    path,
    minDurationMs: least = 0,
    maxDurationMs: most = Number.POSITIVE_INFINITY,
  } = query;
  const filters: Filter[] = [];
  if (status !== undefined) filters.push(createStatusFilter(parseStatus(status)));
  if (path !== undefined) filters.push(createPathFilter(path));
  if (method !== undefined) filters.push(createFieldFilter("method", method.toUpperCase()));
  filters.push(createFieldFilter("event", requestEvent));
  if (least > 0 || most < Number.POSITIVE_INFINITY) filters.push(createDurationFilter(least, most));
  return filters;
}

/** Inclusive. */
interface StatusRange {
  readonly from: number;
  readonly to: number;
}

function parseStatus(status: NonNullable<LogQuery["status"]>): StatusRange {
  if (typeof status === "number") return { from: status, to: status };
  const from = Number(status[0]) * 100;
  return { from, to: from + 99 };
}

function createStatusFilter({ from, to }: StatusRange): Filter {
  const needle = `"status":"${from === to ? from : from / 100}`;
  return {
    texts: [needle],
    mayMatch: (lines) => lines.includes(needle),
    matches({ status }) {
      const code = typeof status === "string" ? Number(status.split(" ", 1)[0]) : Number.NaN;
      return code >= from && code <= to;
    },
  };
}

function createPathFilter(text: string): Filter {
  const { matches, prefix, longest, isExact } = createPathPattern(text);
  const begin = `"path":"${escapeText(prefix)}${isExact ? '"' : ""}`;
  const part = escapeText(longest);
  const mayMatch = (lines: string) => lines.includes(begin) && lines.includes(part);
  return {
    texts: [begin, part],
    mayMatch,
    mayMatchLine(line) {
      if (!mayMatch(line)) return false;
      const path = readText(line, "path");
      return path === undefined || path.includes("\\") || matches(path);
    },
    matches: ({ path }) => typeof path === "string" && matches(path),
  };
}

function createDurationFilter(least: number, most: number): Filter {
  const isWithin = (text: string) => {
    const milliseconds = parseDuration(text);
    return milliseconds >= least && milliseconds <= most;
  };
  return {
    mayMatch: (lines) => lines.includes('"duration":"'),
    mayMatchLine: (line) => isWithin(readText(line, "duration") ?? ""),
    matches: ({ duration }) => typeof duration === "string" && isWithin(duration),
  };
}

/** Reads a raw text field of a request record, including escapes, up to the first quote, even an escaped one. */
function readText(line: string, name: string): string | undefined {
  const mark = `"${name}":"`;
  const found = line.indexOf(mark);
  if (found === -1) return undefined;
  const start = found + mark.length;
  return line.slice(start, line.indexOf('"', start));
}

/** Parses a duration to milliseconds; NaN if invalid. In raw lines, the µ of µs is escaped. */
export function parseDuration(text: string): number {
  const amount = Number.parseFloat(text);
  if (text.endsWith("ms")) return amount;
  // Seconds have two decimals. Rounded, because 4.02 * 1000 is not exactly 4020.
  return text.endsWith("µs") || text.endsWith("\\u00b5s") ? amount / 1000 : Math.round(amount * 1000);
}
