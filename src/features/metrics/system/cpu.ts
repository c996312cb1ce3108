import { cpus } from "node:os";
import { join } from "node:path";
import { type Cursor, nextNumber } from "./numbers.ts";
import { increase, type Part, put, type SampleValues } from "./sample-values.ts";
import { readSmallFile } from "./small-files.ts";

/** Further cores are included in `cpu.ratio`, but not shown individually. */
export const maximumCores = 256;

/** CPU times of a core since boot, in any unit. */
export interface CoreTimes {
  readonly busy: number;
  /** The part of `busy` in which the hypervisor gave the core to another guest. */
  readonly stolen: number;
  readonly total: number;
}

export interface CpuTimes {
  readonly all?: CoreTimes;
  /** By core number; cores that are offline leave gaps. */
  readonly cores: ReadonlyMap<number, CoreTimes>;
}

/** CPU usage since the previous sample. */
export function createCpu(read: () => CpuTimes): Part {
  let before: CpuTimes = { cores: new Map() };
  return {
    sample(values) {
      const times = read();
      putAll(values, before.all, times.all);
      for (const [core, now] of times.cores)
        put(values, `cpu.core.${core}.ratio`, busyRatio(before.cores.get(core), now));
      before = times;
    },
  };
}

function putAll(values: SampleValues, before: CoreTimes | undefined, now: CoreTimes | undefined): void {
  if (!now) return;
  put(values, "cpu.ratio", busyRatio(before, now));
  put(values, "cpu.steal_ratio", increase(before?.stolen, now.stolen) / increase(before?.total, now.total));
}

/** The kernel may decrease the counted I/O wait time, so that the busy time exceeds the total. */
function busyRatio(before: CoreTimes | undefined, now: CoreTimes): number {
  return Math.min(1, increase(before?.busy, now.busy) / increase(before?.total, now.total));
}

/** Reads the lines `cpu …` and `cpu<n> …` at the beginning of /proc/stat. */
export function readProcStat(root: string): CpuTimes {
  const text = readSmallFile(join(root, "proc/stat"));
  const cores = new Map<number, CoreTimes>();
  const cursor: Cursor = { text, at: 0 };
  let all: CoreTimes | undefined;
  while (text.startsWith("cpu", cursor.at)) {
    cursor.at += "cpu".length;
    const core = text[cursor.at] === " " ? undefined : nextNumber(cursor);
    const times = readTimes(cursor);
    if (core === undefined) all = times;
    else if (core >= 0 && cores.size < maximumCores) cores.set(core, times);
    cursor.at = text.indexOf("\n", cursor.at) + 1 || text.length;
  }
  return all ? { all, cores } : { cores };
}

/** Guest times come after `steal` and are ignored: they are already included in user and nice. */
function readTimes(cursor: Cursor): CoreTimes {
  const user = nextNumber(cursor);
  const nice = nextNumber(cursor);
  const system = nextNumber(cursor);
  const idle = nextNumber(cursor);
  const waiting = nextNumber(cursor);
  const interrupts = nextNumber(cursor) + nextNumber(cursor);
  const stolen = nextNumber(cursor);
  const busy = user + nice + system + interrupts + stolen;
  return { busy, stolen, total: busy + idle + waiting };
}

/** For systems without /proc. Node does not report stolen time. */
export function readOsCpus(platform: NodeJS.Platform): CpuTimes {
  const cores = new Map<number, CoreTimes>();
  const all = { busy: 0, stolen: NaN, total: 0 };
  for (const [core, { times }] of cpus().entries()) {
    // On Windows, interrupts are already included in system time.
    const busy = times.user + times.nice + times.sys + (platform === "win32" ? 0 : times.irq);
    const total = busy + times.idle;
    all.busy += busy;
    all.total += total;
    if (core < maximumCores) cores.set(core, { busy, stolen: NaN, total });
  }
  return cores.size > 0 ? { all, cores } : { cores };
}
