import { type Cell, toCsvLine } from "../../../../lib/text/csv.ts";
import type { LogPage, LogRecord } from "./query.ts";
import { parseDuration } from "./request-filters.ts";

export type FileFormat = "ndjson" | "csv";

/** A page of records as text of an export. */
export interface FilePage {
  readonly text: Uint8Array;
  /** Number of records in it. */
  readonly count: number;
  readonly cursor?: string | undefined;
}

export function toFilePage({ items, cursor }: LogPage, format: FileFormat): FilePage {
  const toLine = format === "csv" ? toRequestLine : toJsonLine;
  return { text: new TextEncoder().encode(items.map(toLine).join("")), count: items.length, cursor };
}

const toJsonLine = (record: LogRecord) => `${JSON.stringify(record)}\n`;
const toRequestLine = (record: LogRecord) => toCsvLine(toRequestCells(record));

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
  "sample",
];

/** The first line of an export in this format. */
export const headLines: Record<FileFormat, string> = { ndjson: "", csv: toCsvLine(requestColumns) };

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
