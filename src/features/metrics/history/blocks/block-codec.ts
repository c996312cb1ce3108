/**
 * A block contains the slots of an hour or a day of one instance, as a few rows: one for all requests, one for the system,
 * one for the slowest requests, and one for each group of routes. A chart of one route reads one row per block, a chart of
 * all requests another one, and similar values are next to each other.
 */
import { VarintReader, VarintWriter } from "../../../../lib/varints.ts";
import { RequestStats } from "../../requests/request-stats.ts";
import { blockSpanOf } from "../levels.ts";
import { ColumnReaders, Columns, packBytes, readStats, unpackBytes, writeStats } from "../packed-body.ts";
import { sizeOfRow, writeRoutes } from "../slot-codec.ts";
import type { MetricTables } from "../tables.ts";

type SlotRow = MetricTables["annex_metric_slots"];

/** The writer of the rows of blocks. */
export const blockWriter = "packed";

/** Earlier releases divided the routes of a slot into parts below 8. */
const guardPart = 0;
export const totalsPart = 8;
export const systemPart = 9;
export const slowestPart = 10;
const firstGroupPart = 16;
/** Larger groups take less space, and more time to read one route of them. */
const routesPerGroup = 16;

export const groupPartOf = (route: number): number => firstGroupPart + Math.floor(route / routesPerGroup);

export const isGuard = ({ part }: Pick<SlotRow, "part">): boolean => part === guardPart;
export const isGroup = ({ part }: Pick<SlotRow, "part">): boolean => part >= firstGroupPart;
/** Except for the guard. */
export const isPartOfBlock = ({ part }: Pick<SlotRow, "part">): boolean => part >= totalsPart;
export const isBlock = ({ writer }: Pick<SlotRow, "writer">): boolean => writer === blockWriter;

/** A slot in a block. */
export interface Entry {
  readonly time: number;
  readonly writer: string;
  readonly samples: number;
}

type BlockPlace = Pick<SlotRow, "level" | "time">;

const nothing = new Uint8Array(0);
/** Instances of earlier releases fail when they read this, instead of merging a part of what is there. */
const unreadable = { bytes: Uint8Array.of(0xff), text: "packed" };

/** The rows of a block with these slots of one level and instance, which are not compressed, in the order of time. */
export function encodeBlock(slots: readonly SlotRow[]): SlotRow[] {
  const { level, time, instance } = slots[0]!;
  const directory = encodeDirectory(slots);
  const toRow = (part: number, bodies: Partial<SlotRow>): SlotRow => {
    const all = { totals: nothing, system: nothing, slowest: "", routes: nothing, ...bodies };
    return { level, time, instance, writer: blockWriter, part, samples: 0, bytes: sizeOfRow(all), ...all };
  };
  const pack = (pieces: readonly Uint8Array[]) => {
    const writer = new VarintWriter(16_384);
    writer.piece(directory);
    for (const piece of pieces) writer.piece(piece);
    return packBytes(writer.take(), "block");
  };
  const { bytes, text } = unreadable;
  return [
    toRow(guardPart, { totals: bytes, system: bytes, slowest: text, routes: bytes }),
    toRow(totalsPart, { totals: pack(slots.map(({ totals }) => totals)) }),
    toRow(systemPart, { system: pack(slots.map(({ system }) => system)) }),
    toRow(slowestPart, { totals: pack(slots.map(({ slowest }) => Buffer.from(slowest))) }),
    ...encodeGroups(slots).map(([part, columns]) => toRow(part, { routes: pack([columns.join("")]) })),
  ];
}

function encodeDirectory(slots: readonly SlotRow[]): Uint8Array {
  const writers = [...new Set(slots.map(({ writer }) => writer))];
  const directory = new VarintWriter();
  directory.number(writers.length);
  for (const writer of writers) directory.piece(Buffer.from(writer));
  let last = slots[0]!.time;
  for (const { level, time, writer, samples } of slots) {
    directory.number((time - last) / level);
    directory.number(writers.indexOf(writer));
    directory.number(samples);
    last = time;
  }
  return directory.take();
}

/** The requests of each route follow each other, one slot after the other. */
function encodeGroups(slots: readonly SlotRow[]): [part: number, Columns][] {
  const groups = new Map<number, Columns>();
  let last = 0;
  for (const [route, pieces] of [...piecesByRoute(slots)].sort(([one], [other]) => one - other)) {
    const part = groupPartOf(route);
    let columns = groups.get(part);
    if (!columns) {
      columns = new Columns();
      groups.set(part, columns);
      last = 0;
    }
    columns.numbers.number(route - last);
    columns.numbers.number(pieces.length);
    last = route;
    let lastIndex = 0;
    for (const { index, piece } of pieces) {
      columns.numbers.number(index - lastIndex);
      lastIndex = index;
      const stats = new RequestStats();
      stats.read(new VarintReader(piece));
      writeStats(stats, columns);
    }
  }
  return [...groups];
}

function piecesByRoute(slots: readonly SlotRow[]) {
  const byRoute = new Map<number, { index: number; piece: Uint8Array }[]>();
  for (const [index, { routes }] of slots.entries()) {
    const reader = new VarintReader(routes);
    while (!reader.isAtEnd) {
      const route = reader.number();
      const piece = { index, piece: reader.piece() };
      const pieces = byRoute.get(route);
      if (pieces) pieces.push(piece);
      else byRoute.set(route, [piece]);
    }
  }
  return byRoute;
}

/** Visits the slots of a block with what one of its rows contains of each. */
export function readPieces(
  place: BlockPlace,
  packed: Uint8Array,
  visit: (entry: Entry, piece: Uint8Array, index: number) => void,
): void {
  const reader = new VarintReader(unpackBytes(packed));
  for (const [index, entry] of readDirectory(place, reader).entries()) visit(entry, reader.piece(), index);
}

/**
 * Adds the requests of a group of routes to the stats that `statsOf` returns for a route, in the order of the slots;
 * `undefined` skips a slot, or the route. With `only`, other routes are not read.
 */
export function readGroup(
  place: BlockPlace,
  packed: Uint8Array,
  statsOf: (entries: readonly Entry[], index: number, route: number) => RequestStats | undefined,
  only?: number,
): void {
  const reader = new VarintReader(unpackBytes(packed));
  const entries = readDirectory(place, reader);
  const columns = ColumnReaders.of(reader.piece());
  let route = 0;
  while (!columns.numbers.isAtEnd) {
    route += columns.numbers.number();
    if (only !== undefined && route > only) return;
    const isSkipped = only !== undefined && route !== only;
    let index = 0;
    for (let left = columns.numbers.number(); left > 0; left--) {
      index += columns.numbers.number();
      readStats(columns, isSkipped ? undefined : statsOf(entries, index, route));
    }
  }
}

function readDirectory({ level, time }: BlockPlace, reader: VarintReader): Entry[] {
  const directory = new VarintReader(reader.piece());
  const writers = Array.from({ length: directory.number() }, () => textOf(directory.piece()));
  const entries: Entry[] = [];
  let last = time;
  while (!directory.isAtEnd) {
    last += directory.number() * level;
    const writer = writers[directory.number()]!;
    entries.push({ time: last, writer, samples: directory.number() });
  }
  return entries;
}

/** The slots of a block, one row each, not compressed. */
export function decodeBlock(rows: readonly SlotRow[]): SlotRow[] {
  const slots: SlotRow[] = [];
  const rowOf = (part: number) => rows.find((row) => row.part === part)!;
  const totals = rowOf(totalsPart);
  const { level, instance } = totals;
  readPieces(totals, totals.totals, ({ time, writer, samples }, piece) => {
    const rest = { system: nothing, slowest: "", routes: nothing, bytes: 0 };
    slots.push({ level, time, instance, writer, part: 0, samples, totals: piece, ...rest });
  });
  const system = rowOf(systemPart);
  readPieces(system, system.system, (_, piece, index) => {
    slots[index]!.system = piece;
  });
  const slowest = rowOf(slowestPart);
  readPieces(slowest, slowest.totals, (_, piece, index) => {
    slots[index]!.slowest = textOf(piece);
  });
  const routes = slots.map(() => new Map<number, RequestStats>());
  for (const row of rows.filter(isGroup))
    readGroup(row, row.routes, (_, index, route) => {
      const stats = new RequestStats();
      routes[index]!.set(route, stats);
      return stats;
    });
  return slots.map((slot, index) => ({ ...slot, routes: writeRoutes(routes[index]!) }));
}

/** When the slots of a row end, which are one or many. */
export function endOf({ level, time }: BlockPlace, isInBlock: boolean): number {
  const span = blockSpanOf(level);
  return isInBlock ? time - (time % span) + span : time + level;
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");
