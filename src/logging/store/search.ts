import { setImmediate as nextTurn } from "node:timers/promises";
import { createBlockQueue } from "./block-queue.ts";
import type { BlockReader } from "./blocks.ts";
import { formatCursor, isBeyond, type Position, parseCursor } from "./cursor.ts";
import { leastSeverity } from "./level-filter.ts";
import { createMatcher, isContradiction, type Matcher } from "./matcher.ts";
import { type OpenBlock, openBlock } from "./open-block.ts";
import { defaultLimit, type LogPage, type LogQuery, type LogRecord, maxLimit } from "./query.ts";

/**
 * How many blocks a page opens, and how many headers it reads. Beyond either it ends where it has got to, however
 * little it has found, because searching happens beside the requests that are served.
 */
const blocksOpened = 100;
/** For a trace: nearly all of them are passed over by their filter, and one in a hundred is opened in vain, at little cost. */
const traceBlocksOpened = 600;
const blocksListed = 50_000;

/**
 * Finds records, newest first. The blocks of several instances, and those that were put together, overlap in time; so
 * they are opened in the order in which they end, and a record is given out when no block that is still closed can hold
 * a newer one.
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

/** A page that is being filled. */
interface Page {
  readonly query: LogQuery;
  readonly limit: number;
  readonly from: number;
  readonly start: Position;
  /** How far it has got. */
  position: Position;
  readonly items: LogRecord[];
  opened: number;
  listed: number;
}

function beginPage(query: LogQuery): Page {
  const { limit = defaultLimit, from = -lastTime, to = lastTime, cursor } = query;
  if (Number.isNaN(from) || Number.isNaN(to)) throw new RangeError("A time is a number of milliseconds.");
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

/** The last moment that a date can name. */
const lastTime = 8.64e15;

/** A block has been put together with others since its header was read: its records have to be looked for anew. */
const moved = Symbol("moved");

/** Goes on from where the page has got to. Tells where the next one begins, if there may be more. */
async function fillPage(
  page: Page,
  blocks: BlockReader,
  matcher: Matcher,
): Promise<Position | undefined | typeof moved> {
  const { query, limit, from, position: begin } = page;
  const range = { from, to: begin.time };
  const closed = createBlockQueue(blocks, { ...range, least: leastSeverity(query) }, query);
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

  /** False when the block is gone. */
  async function openNext(id: string): Promise<boolean> {
    page.opened++;
    await nextTurn();
    const body = await blocks.read(id);
    const block = body && openBlock(id, body, matcher, range);
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
    else if (!(await openNext(next.id))) return moved;
  }
}

/**
 * Where a page ends that has done its share of work. Not before it has got anywhere: else a moment at which more blocks
 * overlap than a page may open would never be passed.
 */
function endOf({ query, opened, listed, position, start }: Page, frontier: number): Position | undefined {
  const mostOpened = query.traceId === undefined ? blocksOpened : traceBlocksOpened;
  if (opened < mostOpened && listed < blocksListed) return undefined;
  const reached = frontier < position.time ? { time: frontier, passed: 0 } : position;
  return isBeyond(reached, start) ? reached : undefined;
}

/** The open block whose next record is the newest. In the same millisecond it is the one that was written later. */
function newestOf(open: Iterable<OpenBlock>): OpenBlock | undefined {
  let newest: OpenBlock | undefined;
  for (const block of open) {
    const ahead = newest === undefined ? 1 : block.head!.time - newest.head!.time;
    if (ahead > 0 || (ahead === 0 && block.id > newest!.id)) newest = block;
  }
  return newest;
}
