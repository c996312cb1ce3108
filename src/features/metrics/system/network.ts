import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { type Cursor, nextNumber } from "./numbers.ts";
import { increase, type Part, put, type SampleValues } from "./sample-values.ts";
import { readSmallFile } from "./small-files.ts";

/** Further interfaces are included in the totals, but not shown individually. */
export const maximumInterfaces = 32;

/** IFF_LOOPBACK of <linux/if.h>. */
const loopbackFlag = 0x8;

/** Received and sent bytes since boot, or per second. */
interface Traffic {
  readonly inward: number;
  readonly outward: number;
}

interface Interface extends Traffic {
  readonly isLoopback: boolean;
}

/** Traffic since the previous sample, per interface and in total without loopback. */
export function createNetwork(root: string): Part {
  let before: ReadonlyMap<string, Interface> = new Map();
  let then = NaN;
  return {
    sample(values, now) {
      const interfaces = readInterfaces(root, before);
      const rates: Traffic[] = [];
      let shown = 0;
      for (const [name, counted] of interfaces) {
        const rate = rateOf(before.get(name), counted, (now - then) / 1000);
        if (!counted.isLoopback) rates.push(rate);
        if (shown++ < maximumInterfaces) putTraffic(values, `network.${name}`, rate);
      }
      putTraffic(values, "network", sumOf(rates));
      before = interfaces;
      then = now;
    },
  };
}

function rateOf(before: Traffic | undefined, now: Traffic, seconds: number): Traffic {
  return {
    inward: increase(before?.inward, now.inward) / seconds,
    outward: increase(before?.outward, now.outward) / seconds,
  };
}

/** Sums the known rates. A new interface has no rate yet. */
function sumOf(rates: readonly Traffic[]): Traffic {
  const sum = (values: number[]) =>
    values.reduce((total, value) => total + value, values.length > 0 ? 0 : NaN);
  return {
    inward: sum(rates.map(({ inward }) => inward).filter(Number.isFinite)),
    outward: sum(rates.map(({ outward }) => outward).filter(Number.isFinite)),
  };
}

function putTraffic(values: SampleValues, prefix: string, { inward, outward }: Traffic): void {
  put(values, `${prefix}.in_bytes_per_second`, inward);
  put(values, `${prefix}.out_bytes_per_second`, outward);
}

/** /proc/net/dev: two header lines, then one line per interface, in order of creation. */
function readInterfaces(root: string, known: ReadonlyMap<string, Interface>): Map<string, Interface> {
  const interfaces = new Map<string, Interface>();
  for (const line of readSmallFile(join(root, "proc/net/dev")).split("\n").slice(2)) {
    // Names can contain colons.
    const end = line.lastIndexOf(":");
    if (end < 0) continue;
    const name = line.slice(0, end).trim();
    const isLoopback = known.get(name)?.isLoopback ?? readIsLoopback(root, name);
    interfaces.set(name, { ...readTraffic({ text: line, at: end + 1 }), isLoopback });
  }
  return interfaces;
}

/** Sent bytes are the ninth number, after eight numbers for received data. */
function readTraffic(cursor: Cursor): Traffic {
  const inward = nextNumber(cursor);
  for (let skipped = 1; skipped < 8; skipped++) nextNumber(cursor);
  return { inward, outward: nextNumber(cursor) };
}

/** A loopback interface can have any name. If /sys is not mounted, Node reports the ones that have an address. */
function readIsLoopback(root: string, name: string): boolean {
  const flags = Number.parseInt(readSmallFile(join(root, "sys/class/net", name, "flags")), 16);
  if (!Number.isNaN(flags)) return (flags & loopbackFlag) !== 0;
  return networkInterfaces()[name]?.some(({ internal }) => internal) ?? false;
}
