import { VarintReader, VarintWriter } from "../../../lib/varints.ts";
import { RequestStats } from "../requests/request-stats.ts";
import type { SlowRequest } from "../requests/slowest.ts";
import { partsOf } from "./levels.ts";
import type { Slot } from "./slot.ts";

/** A stored slot or part of it. Routes and metrics are identified by the numbers of their names. */
export interface SlotBody {
  /** All requests together, for charts without a route filter. */
  totals: Uint8Array;
  system: Uint8Array;
  slowest: string;
  routes: Uint8Array;
}

/** Encodes the parts of a slot. All but the first can be empty. */
export function encodeSlot(slot: Slot, numberOf: (name: string) => number): SlotBody[] {
  const slowest = slot.slowest.list();
  const first = {
    totals: encodeTotals(slot),
    system: encodeSystem(slot, numberOf),
    slowest: slowest.length === 0 ? "" : JSON.stringify(slowest),
  };
  const rest = { totals: nothing, system: nothing, slowest: "" };
  return encodeRoutes(slot, numberOf).map((routes, part) => ({ ...(part === 0 ? first : rest), routes }));
}

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

// Uncompressed: compression would halve the size, but queries for one route would take five times as long.
function encodeRoutes(slot: Slot, numberOf: (name: string) => number): Uint8Array[] {
  const writers = Array.from({ length: partsOf(slot.level) }, () => new VarintWriter(4_096));
  const piece = new VarintWriter();
  for (const [name, stats] of slot.requests) {
    const number = numberOf(name);
    const writer = writers[number % writers.length]!;
    stats.write(piece);
    writer.number(number);
    writer.piece(piece.take());
  }
  return writers.map((writer) => writer.take());
}

/** Adds all requests of a slot. */
export function readTotals(bytes: Uint8Array, into: RequestStats): void {
  if (bytes.length > 0) into.read(new VarintReader(bytes));
}

/** Adds the requests of a slot to the stats returned by `statsFor` for each route; `undefined` skips the route. */
export function readRoutes(bytes: Uint8Array, statsFor: (route: number) => RequestStats | undefined): void {
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

export function readSlowest(text: string): SlowRequest[] {
  return text === "" ? [] : (JSON.parse(text) as SlowRequest[]);
}

const nothing = new Uint8Array(0);
