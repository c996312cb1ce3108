import { toCsvLine } from "../../lib/text/csv.ts";
import type { AccessFilter, AccessQueries, Cursor, StoredRow } from "./queries.ts";
import { toRowResponse } from "./responses.ts";

/**
 * Exports the access log as a file, newest first. A page is read only when the client has received the previous one, so
 * a file of any length needs the memory of two pages.
 */
export interface FileRequest {
  readonly filter: AccessFilter;
  readonly limit: number;
}

const columns = [
  "time",
  "last_time",
  "kind",
  "account",
  "actor",
  "address",
  "agent",
  "trace_id",
  "detail",
  "instance",
  "count",
] as const;

export async function* toCsvFile(queries: AccessQueries, file: FileRequest): AsyncGenerator<string> {
  yield toCsvLine(columns);
  for await (const rows of readPages(queries, file))
    yield rows.map((row) => toCsvLine(columns.map((column) => toRecord(row)[column] ?? undefined))).join("");
}

export async function* toNdjsonFile(queries: AccessQueries, file: FileRequest): AsyncGenerator<string> {
  for await (const rows of readPages(queries, file))
    yield rows.map((row) => `${JSON.stringify(toRecord(row))}\n`).join("");
}

/** A row with times as ISO 8601. */
function toRecord(row: StoredRow) {
  const { time, last_time, ...rest } = toRowResponse(row);
  return { time: new Date(time).toISOString(), last_time: new Date(last_time).toISOString(), ...rest };
}

const rowsPerBatch = 500;

async function* readPages(queries: AccessQueries, { filter, limit }: FileRequest) {
  let left = limit;
  let after: Cursor | undefined;
  do {
    const page = await queries.list(filter, { limit: Math.min(left, rowsPerBatch), after });
    yield page.rows;
    left -= page.rows.length;
    after = page.cursor;
  } while (after !== undefined && left > 0);
}
