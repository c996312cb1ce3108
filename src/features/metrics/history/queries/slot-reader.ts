import type { Database } from "../../../../storage/index.ts";
import type { RequestStats } from "../../requests/request-stats.ts";
import type { SlowRequest } from "../../requests/slowest.ts";
import {
  blockWriter,
  type Entry,
  groupPartOf,
  isBlock,
  isGroup,
  isGuard,
  readGroup,
  readPieces,
  slowestPart,
  systemPart,
  totalsPart,
} from "../blocks/block-codec.ts";
import { LaterSlots } from "../blocks/single-slots.ts";
import { blockSpanOf, partsWith, type Segment } from "../levels.ts";
import { parseSlowest, readRoutes, readSystem, readTotals, slowestTextOf } from "../slot-codec.ts";
import type { MetricTables } from "../tables.ts";

type SlotRow = MetricTables["annex_metric_slots"];
type Body = "totals" | "system" | "slowest" | "routes";
const keys = ["level", "time", "instance", "writer", "part", "samples"] as const;
type Keys = Pick<SlotRow, (typeof keys)[number]>;

/** Which rows to read: one part of blocks, and of earlier releases the parts with a route; all of them without. */
interface Choice {
  /** Default: all. */
  readonly instance?: string | undefined;
  readonly blockPart?: number;
  readonly route?: number | undefined;
}

/** The rows of a cover, and which of the slots in their blocks are wanted. */
interface Found<Row> {
  readonly single: readonly Row[];
  readonly packed: readonly Row[];
  isWanted(row: Row, entry: Entry): boolean;
}

/**
 * Reads the slots of a cover in one statement, whether they are in blocks or not. The size is limited by the cover.
 * Without an instance, it reads all of them.
 */
export class SlotReader {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  async hasSlots(segment: Segment, instance: string | undefined): Promise<boolean> {
    let isThere = false;
    const choice = { instance, blockPart: totalsPart, route: 0 };
    const { single, packed, isWanted } = await this.read([segment], ["totals"], choice);
    for (const row of packed)
      readPieces(row, row.totals, (entry) => {
        if (isWanted(row, entry)) isThere = true;
      });
    return isThere || single.length > 0;
  }

  /** Adds all requests of the slots to the stats that `statsAt` returns for a time. */
  async readTotals(
    segments: readonly Segment[],
    instance: string | undefined,
    statsAt: (time: number) => RequestStats | undefined,
  ): Promise<void> {
    const add = (time: number, bytes: Uint8Array) => {
      const stats = statsAt(time);
      if (stats) readTotals(bytes, stats);
    };
    const choice = { instance, blockPart: totalsPart, route: 0 };
    const { single, packed, isWanted } = await this.read(segments, ["totals"], choice);
    for (const row of single) add(row.time, row.totals);
    for (const row of packed)
      readPieces(row, row.totals, (entry, piece) => {
        if (isWanted(row, entry)) add(entry.time, piece);
      });
  }

  /** Adds the requests of the slots to the stats that `statsOf` returns for a route and a time. */
  async readRoutes(
    segments: readonly Segment[],
    { instance, route: only }: { instance?: string | undefined; route?: number },
    statsOf: (route: number, time: number) => RequestStats | undefined,
  ): Promise<void> {
    const choice = { instance, ...(only !== undefined && { blockPart: groupPartOf(only), route: only }) };
    const { single, packed, isWanted } = await this.read(segments, ["routes"], choice);
    for (const { routes, time } of single)
      readRoutes(routes, (route) =>
        only === undefined || route === only ? statsOf(route, time) : undefined,
      );
    for (const row of packed.filter(isGroup)) {
      const wanted = new Map<Entry, boolean>();
      const isIncluded = (entry: Entry) => {
        const known = wanted.get(entry) ?? isWanted(row, entry);
        wanted.set(entry, known);
        return known;
      };
      const statsIn = (entry: Entry, route: number) =>
        isIncluded(entry) ? statsOf(route, entry.time) : undefined;
      readGroup(row, row.routes, (entries, index, route) => statsIn(entries[index]!, route), only);
    }
  }

  async readSystem(
    segments: readonly Segment[],
    instance: string | undefined,
    visit: (slot: Entry & { instance: string }, name: number, mean: number, max: number) => void,
  ): Promise<void> {
    const choice = { instance, blockPart: systemPart, route: 0 };
    const { single, packed, isWanted } = await this.read(segments, ["system"], choice);
    const slots = single.map((row) => ({ slot: row as Entry & { instance: string }, bytes: row.system }));
    for (const row of packed)
      readPieces(row, row.system, (entry, bytes) => {
        if (isWanted(row, entry)) slots.push({ slot: { ...entry, instance: row.instance }, bytes });
      });
    // Means depend on the order in their last digit.
    slots.sort((one, other) => one.slot.time - other.slot.time);
    for (const { slot, bytes } of slots) readSystem(bytes, (name, mean, max) => visit(slot, name, mean, max));
  }

  async readSlowest(
    segments: readonly Segment[],
    instance: string | undefined,
  ): Promise<{ instance: string; requests: SlowRequest[] }[]> {
    const choice = { instance, blockPart: slowestPart, route: 0 };
    const { single, packed, isWanted } = await this.read(segments, ["slowest", "routes", "totals"], choice);
    const found = single.map((row) => ({
      instance: row.instance,
      requests: parseSlowest(slowestTextOf(row)),
    }));
    for (const row of packed)
      readPieces(row, row.totals, (entry, piece) => {
        if (!isWanted(row, entry)) return;
        const requests = parseSlowest(Buffer.from(piece).toString("utf8"));
        found.push({ instance: row.instance, requests });
      });
    return found;
  }

  private async read<Column extends Body>(
    segments: readonly Segment[],
    bodies: readonly Column[],
    choice: Choice,
  ): Promise<Found<Keys & Pick<SlotRow, Column>>> {
    if (segments.length === 0) return { single: [], packed: [], isWanted: () => false };
    type Row = Keys & Pick<SlotRow, Column>;
    const rows = (await this.select(segments, [...keys, ...bodies], choice)) as Row[];
    const single = rows.filter((row) => !isBlock(row));
    const packed = rows.filter((row) => isBlock(row) && !isGuard(row));
    const later = new LaterSlots();
    if (packed.length > 0) for (const row of single) later.add(row);
    return {
      single,
      packed,
      isWanted: (row, entry) =>
        segments.some(
          ({ level, from, to }) => level === row.level && entry.time >= from && entry.time < to,
        ) && !later.replace(row, entry),
    };
  }

  private async select(
    segments: readonly Segment[],
    columns: readonly (keyof SlotRow)[],
    { instance, blockPart, route }: Choice,
  ): Promise<object[]> {
    const select = this.database
      .tables<MetricTables>()
      .selectFrom("annex_metric_slots")
      .select([...columns])
      .where(({ eb, or, and }) =>
        or(
          segments.map(({ level, from, to }) => {
            const span = blockSpanOf(level);
            const parts = blockPart === undefined ? [] : [blockPart, ...partsWith(route ?? 0, level)];
            return and([
              eb("level", "=", level),
              // A block that begins before the segment can contain slots of it.
              eb("time", ">=", from - (from % span)),
              eb("time", "<", to),
              or([eb("time", ">=", from), eb("writer", "=", blockWriter)]),
              ...(parts.length > 0 ? [eb("part", "in", parts)] : []),
            ]);
          }),
        ),
      );
    const some = instance === undefined ? select : select.where("instance", "=", instance);
    return await some.execute();
  }
}
