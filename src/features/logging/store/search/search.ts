import { setImmediate as nextTurn } from "node:timers/promises";
import { createBlockQueue } from "../block-queue.ts";
import type { BlockHeader, BlockReader } from "../blocks.ts";
import { formatCursor, isBeyond, type Position, parseCursor } from "./cursor.ts";
import { wantedInstances } from "./instance-filter.ts";
import { leastSeverity } from "./level-filter.ts";
import { createMatcher, isContradiction, type Matcher } from "./matcher.ts";
import { type OpenBlock, openBlock } from "./open-block.ts";
import { defaultLimit, type LogPage, type LogQuery, type LogRecord, maxLimit } from "./query.ts";

/**
 * Limits per page for the compressed size of opened blocks and for headers read. When either is reached, the page ends,
 * even if few records were found. Each takes a fraction of a second.
 */
const bytesOpened = 8 * 1_048_576;
const blocksListed = 100_000;

/** To open a block takes as long as to read this many bytes. A page reads hundreds of full blocks or thousands of small. */
const openingBytes = 4_096;

/**
 * Searches records, newest first. Blocks of several instances and merged blocks overlap in time. They are opened in
 * order of their end times, and a record is returned when no unopened block can contain a newer one.
 */
export async function searchLogs(blocks: BlockReader, query: LogQuery): Promise<LogPage> {
  const page = beginPage(query);
  if (isContradiction(query)) return { items: [] };
  const matcher = createMatcher(query);
  let end: Position | undefined | typeof moved;
  do end = await fillPage(page, blocks, matcher);
  while (end === moved);
  const { items } = page;
  return end === undefined ? { items } : { items, cursor: formatCursor(end) };
}

/** Throws if a time, the cursor or a level is invalid. */
export function checkQuery(query: LogQuery): void {
  beginPage(query);
  if (!isContradiction(query)) createMatcher(query);
}

/** A page in progress. */
interface Page {
  readonly query: LogQuery;
  readonly limit: number;
  readonly from: number;
  readonly start: Position;
  /** Current position. */
  position: Position;
  readonly items: LogRecord[];
  /** Bytes of opened blocks. */
  opened: number;
  listed: number;
}

function beginPage(query: LogQuery): Page {
  const { limit = defaultLimit, from = -lastTime, to = lastTime, cursor } = query;
  if (Number.isNaN(from) || Number.isNaN(to))
    throw new RangeError("from and to must be times in milliseconds.");
  const newest = { time: Math.floor(Math.min(to, lastTime)), passed: 0 };
  const asked = cursor === undefined ? newest : parseCursor(cursor);
  const start = isBeyond(asked, newest) ? asked : newest;
  return {
    query,
    limit: Math.min(Math.max(1, Math.floor(limit) || 1), maxLimit),
    from: Math.ceil(Math.max(from, -lastTime)),
    start,
    position: start,
    items: [],
    opened: 0,
    listed: 0,
  };
}

/** The latest time that a Date can represent. */
const lastTime = 8.64e15;

/** The block was merged after its header was read, so its records have to be searched again. */
const moved = Symbol("moved");

/**
 * Continues from the current position of the page. Returns the position of the next page if there may be more records.
 */
async function fillPage(
  page: Page,
  blocks: BlockReader,
  matcher: Matcher,
): Promise<Position | undefined | typeof moved> {
  const { query, limit, from, position: begin } = page;
  const range = { from, to: begin.time };
  const [instance] = wantedInstances(query);
  const closed = createBlockQueue(
    blocks,
    { ...range, least: leastSeverity(query), instance },
    { traceId: query.traceId, texts: matcher.texts },
  );
  const open = new Set<OpenBlock>();
  let behind = begin.passed;

  function give(block: OpenBlock): void {
    const { time, record } = block.head!;
    if (time === begin.time && behind > 0) behind--;
    else {
      page.items.push(record);
      page.position = { time, passed: time === page.position.time ? page.position.passed + 1 : 1 };
    }
    block.advance();
    if (block.head === undefined) open.delete(block);
  }

  async function listMore(): Promise<number> {
    await nextTurn();
    return closed.list();
  }

  /** Returns false if the block no longer exists. */
  async function openNext(header: BlockHeader): Promise<boolean> {
    await nextTurn();
    const body = await blocks.read(header.id);
    page.opened += openingBytes + (body?.length ?? 0);
    const block = body && openBlock(header, body, matcher, range);
    if (block?.head) open.add(block);
    return body !== undefined;
  }

  for (;;) {
    const newest = newestOf(open);
    const { frontier } = closed;
    if (newest === undefined && frontier === Number.NEGATIVE_INFINITY) return undefined;
    if (page.items.length === limit) return page.position;
    if (newest !== undefined && newest.head!.time > frontier) {
      give(newest);
      continue;
    }
    const end = endOf(page, frontier);
    if (end !== undefined) return end;
    const next = closed.shift();
    if (next === undefined) page.listed += await listMore();
    else if (!(await openNext(next))) return moved;
  }
}

/**
 * Determines where a page ends when a limit is reached. It must have made progress; otherwise a time at which more
 * blocks overlap than a page may open would never be passed.
 */
function endOf({ opened, listed, position, start }: Page, frontier: number): Position | undefined {
  if (opened < bytesOpened && listed < blocksListed) return undefined;
  const reached = frontier < position.time ? { time: frontier, passed: 0 } : position;
  return isBeyond(reached, start) ? reached : undefined;
}

/** The open block with the newest next record. For equal times, the one that was written later. */
function newestOf(open: Iterable<OpenBlock>): OpenBlock | undefined {
  let newest: OpenBlock | undefined;
  for (const block of open) {
    const ahead = newest === undefined ? 1 : block.head!.time - newest.head!.time;
    if (ahead > 0 || (ahead === 0 && block.id > newest!.id)) newest = block;
  }
  return newest;
}
