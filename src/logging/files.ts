import { type Cell, toCsvLine } from "../lib/csv.ts";
import type { FileQuery } from "./query-parameters.ts";
import { type LogPage, type LogQuery, type LogRecord, maxLimit } from "./store/query.ts";
import { parseDuration } from "./store/request-filters.ts";

/**
 * Records as files, newest first. They are read a page at a time, and the next page only when the client has taken the
 * one before, so that a file of any length takes the memory of two pages and a client that leaves ends the work.
 */

export type Search = (query: LogQuery) => Promise<LogPage>;

/** JSON lines, each a record as it was written. */
export async function* toNdjson(search: Search, file: FileQuery): AsyncGenerator<string> {
  for await (const records of readPages(search, file))
    yield records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

const requestColumns = [
  "time",
  "method",
  "path",
  "status",
  "duration_ms",
  "ip",
  "user_agent",
  "content_length",
  "trace_id",
];

export async function* toRequestCsv(search: Search, file: FileQuery): AsyncGenerator<string> {
  yield toCsvLine(requestColumns);
  for await (const records of readPages(search, file))
    yield records.map((record) => toCsvLine(toRequestCells(record))).join("");
}

/** An application may call a record of its own `http_request`, so nothing is taken for granted. */
function toRequestCells({ status, duration, ...record }: LogRecord): Cell[] {
  const cells: LogRecord = {
    ...record,
    status: typeof status === "string" ? Number.parseInt(status, 10) : undefined,
    duration_ms: typeof duration === "string" ? parseDuration(duration) : undefined,
  };
  return requestColumns.map((column) => toCell(cells[column]));
}

function toCell(value: unknown): Cell {
  if (typeof value === "string") return value;
  return typeof value === "number" && !Number.isNaN(value) ? value : undefined;
}

async function* readPages(search: Search, { query, limit }: FileQuery): AsyncGenerator<LogRecord[]> {
  let left = limit;
  let cursor: string | undefined;
  do {
    const page = await search({ ...query, limit: Math.min(left, maxLimit), cursor });
    // Also when nothing was found, because here is where it ends when the client leaves.
    yield page.items;
    left -= page.items.length;
    cursor = page.cursor;
  } while (cursor !== undefined && left > 0);
}
