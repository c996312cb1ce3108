import { type Cell, toCsvLine } from "../../lib/text/csv.ts";
import type { FileQuery } from "./query-parameters.ts";
import { type LogPage, type LogQuery, type LogRecord, maxLimit } from "./store/search/query.ts";
import { parseDuration } from "./store/search/request-filters.ts";

/**
 * Exports of records, newest first. The next page is read only when the client has consumed the previous one. An export
 * of any size uses the memory of two pages, and it stops when the client disconnects.
 */

export type Search = (query: LogQuery) => Promise<LogPage>;

/** JSON lines, one record each, as written. */
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
  "instance",
];

export async function* toRequestCsv(search: Search, file: FileQuery): AsyncGenerator<string> {
  yield toCsvLine(requestColumns);
  for await (const records of readPages(search, file))
    yield records.map((record) => toCsvLine(toRequestCells(record))).join("");
}

/** Applications can write their own `http_request` records, so no field is guaranteed. */
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
    // Empty pages are yielded, too: a disconnected client ends the generator here.
    yield page.items;
    left -= page.items.length;
    cursor = page.cursor;
  } while (cursor !== undefined && left > 0);
}
