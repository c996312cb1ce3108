import { zstdDecompressSync } from "node:zlib";
import type { Database } from "../../storage/index.ts";
import { type LogLevel, levels } from "../levels.ts";
import type { LogTables } from "./blocks.ts";
import { mayHoldTrace } from "./trace-filter.ts";

export interface LogQuery {
  /** Milliseconds since the epoch; both ends count. */
  from?: number;
  to?: number;
  /** This severity and above. */
  level?: LogLevel;
  /** Anywhere in the record, in any case. */
  text?: string;
  traceId?: string;
  /** At most this many records. Default 100, at most 1000. */
  limit?: number;
  /** Where an earlier page ended. */
  cursor?: string;
}

/** A record as it was written. */
export type LogRecord = { time: string; level: string; msg: string; event: string } & Record<string, unknown>;

export interface LogPage {
  /** Newest first. */
  readonly items: LogRecord[];
  /** Present while there may be more; a page can be empty and still have one, because a search opens a bounded number of blocks. */
  readonly cursor?: string;
}

const blocksListed = 2_000;
const blocksOpened = 100;

/** Where a search stands: in this block, having passed over that many of its lines from the end. */
interface Position {
  time: number;
  id: string;
  line: number;
}

export async function searchLogs(database: Database, query: LogQuery): Promise<LogPage> {
  const limit = Math.min(Math.max(1, Math.floor(query.limit ?? 100)), 1000);
  const start = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  const listed = await listBlocks(database, query, start);
  const matches = createMatcher(query);
  const items: LogRecord[] = [];
  let opened = 0;
  for (const block of listed) {
    const position = { time: block.last_time, id: block.id, line: 0 };
    if (query.traceId !== undefined && !mayHoldTrace(block.traces, query.traceId)) continue;
    if (opened++ === blocksOpened) return { items, cursor: formatCursor(position) };
    const lines = await readLines(database, block.id);
    const passed = start?.id === block.id ? start.line : 0;
    for (let line = passed; line < lines.length; line++) {
      if (items.length === limit) return { items, cursor: formatCursor({ ...position, line }) };
      const record = matches(lines[lines.length - 1 - line]!);
      if (record) items.push(record);
    }
  }
  const last = listed.at(-1);
  if (last === undefined || listed.length < blocksListed) return { items };
  return {
    items,
    cursor: formatCursor({ time: last.last_time, id: last.id, line: Number.MAX_SAFE_INTEGER }),
  };
}

function listBlocks(database: Database, { from, to, level }: LogQuery, start: Position | undefined) {
  let select = database
    .tables<LogTables>()
    .selectFrom("annex_log_blocks")
    .select(["id", "last_time", "traces"])
    .orderBy("last_time", "desc")
    .orderBy("id", "desc")
    .limit(blocksListed);
  if (from !== undefined) select = select.where("last_time", ">=", from);
  if (to !== undefined) select = select.where("first_time", "<=", to);
  if (level !== undefined) select = select.where("max_level", ">=", levels[level]);
  if (start !== undefined) {
    select = select.where(({ eb, or, and }) =>
      or([
        eb("last_time", "<", start.time),
        and([eb("last_time", "=", start.time), eb("id", "<=", start.id)]),
      ]),
    );
  }
  return select.execute();
}

async function readLines(database: Database, id: string): Promise<string[]> {
  const block = await database
    .tables<LogTables>()
    .selectFrom("annex_log_blocks")
    .select("body")
    .where("id", "=", id)
    .executeTakeFirst();
  return block === undefined ? [] : zstdDecompressSync(block.body).toString().trimEnd().split("\n");
}

/** Checks what can be checked on the line as it lies, and parses only what is left. */
function createMatcher({
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
  level,
  text,
  traceId,
}: LogQuery) {
  const needles = text === undefined ? undefined : writtenForms(text);
  const least = level === undefined ? Number.NEGATIVE_INFINITY : levels[level];
  return (line: string): LogRecord | undefined => {
    if (traceId !== undefined && !line.includes(traceId)) return undefined;
    if (needles) {
      const lower = line.toLowerCase();
      if (!needles.some((needle) => lower.includes(needle))) return undefined;
    }
    const record = JSON.parse(line) as LogRecord;
    const time = Date.parse(record.time);
    if (time < from || time > to || levels[record.level.toLowerCase() as LogLevel] < least) return undefined;
    return traceId === undefined || record.trace_id === traceId ? record : undefined;
  };
}

/** Text as JSON writes it, once as it is and once with everything but ASCII escaped, as request records have it. */
function writtenForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1).toLowerCase();
  const escaped = plain.replace(
    /[\x7f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [...new Set([plain, escaped])];
}

function formatCursor({ time, id, line }: Position): string {
  return Buffer.from(JSON.stringify([time, id, line])).toString("base64url");
}

function parseCursor(cursor: string): Position {
  try {
    const [time, id, line] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Number.isFinite(time) && typeof id === "string" && Number.isFinite(line)) return { time, id, line };
  } catch {}
  throw new RangeError("The cursor is not one that a search gave out.");
}
