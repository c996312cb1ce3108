import { VarintReader, VarintWriter } from "../../../lib/varints.ts";
import { RequestStats } from "../requests/request-stats.ts";
import type { SlowRequest } from "../requests/slowest.ts";
import { isPackedBytes, packBody, readPackedRoutes, readPackedText } from "./packed-body.ts";
import { getOrMake, type Slot } from "./slot.ts";

/** A stored slot. Routes and metrics are identified by the numbers of their names. */
export interface SlotBody {
  /** All requests together, for charts without a route filter. */
  totals: Uint8Array;
  system: Uint8Array;
  /** JSON; empty if `routes` contains it. */
  slowest: string;
  routes: Uint8Array;
}

export function encodeSlot(slot: Slot, numberOf: (name: string) => number): SlotBody {
  const totals = encodeTotals(slot);
  const list = slot.slowest.list();
  const slowest = list.length === 0 ? "" : JSON.stringify(list);
  const system = encodeSystem(slot, numberOf);
  // A day is written once. Other slots are packed later, in blocks.
  if (slot.level < 86_400) return { totals, system, slowest, routes: encodeRoutes(slot, numberOf) };
  const routes = [...slot.requests].map(([name, stats]) => [numberOf(name), stats] as const);
  return { totals, system, slowest: "", routes: packBody({ text: slowest, routes }, "deflate") };
}

/** Size of a row in addition to its bodies. */
const rowOverhead = 100;

export const sizeOfRow = ({ totals, system, slowest, routes }: SlotBody): number =>
  rowOverhead + totals.length + system.length + slowest.length + routes.length;

function encodeTotals(slot: Slot): Uint8Array {
  if (slot.requests.size === 0) return nothing;
  const totals = new RequestStats();
  for (const stats of slot.requests.values()) totals.merge(stats);
  const writer = new VarintWriter();
  totals.write(writer);
  return writer.take();
}

function encodeSystem(slot: Slot, numberOf: (name: string) => number): Uint8Array {
  const writer = new VarintWriter();
  for (const [name, { mean, max }] of slot.system) {
    writer.number(numberOf(name));
    writer.single(mean);
    writer.single(max);
  }
  return writer.take();
}

function encodeRoutes(slot: Slot, numberOf: (name: string) => number): Uint8Array {
  return writeRoutes([...slot.requests].map(([name, stats]) => [numberOf(name), stats]));
}

export function writeRoutes(routes: Iterable<readonly [number: number, stats: RequestStats]>): Uint8Array {
  const writer = new VarintWriter(4_096);
  const piece = new VarintWriter();
  for (const [number, stats] of routes) {
    stats.write(piece);
    writer.number(number);
    writer.piece(piece.take());
  }
  return writer.take();
}

/** Adds all requests of a slot. */
export function readTotals(bytes: Uint8Array, into: RequestStats): void {
  if (bytes.length > 0) into.read(new VarintReader(bytes));
}

/** Adds the requests of a slot to the stats returned by `statsFor` for each route; `undefined` skips the route. */
export function readRoutes(bytes: Uint8Array, statsFor: (route: number) => RequestStats | undefined): void {
  if (isPackedBytes(bytes)) {
    readPackedRoutes(bytes, statsFor);
    return;
  }
  const reader = new VarintReader(bytes);
  while (!reader.isAtEnd) {
    const stats = statsFor(reader.number());
    if (stats === undefined) reader.skipPiece();
    else {
      reader.number();
      stats.read(reader);
    }
  }
}

export function readSystem(
  bytes: Uint8Array,
  visit: (name: number, mean: number, max: number) => void,
): void {
  const reader = new VarintReader(bytes);
  while (!reader.isAtEnd) visit(reader.number(), reader.single(), reader.single());
}

/** JSON of the slowest requests of a row; empty if there are none. */
export const slowestTextOf = ({ slowest, routes }: Pick<SlotBody, "slowest" | "routes">): string =>
  isPackedBytes(routes) ? readPackedText(routes) : slowest;

export const parseSlowest = (text: string): SlowRequest[] =>
  text === "" ? [] : (JSON.parse(text) as SlowRequest[]);

/** The routes of a row as they are without compression. */
export function toPlainRoutes(bytes: Uint8Array): Uint8Array {
  if (!isPackedBytes(bytes)) return bytes;
  const routes = new Map<number, RequestStats>();
  readPackedRoutes(bytes, (number) => getOrMake(routes, number, () => new RequestStats()));
  return writeRoutes(routes);
}

const nothing = new Uint8Array(0);
