import { cpus } from "node:os";
import { join } from "node:path";
import { type Figures, increase, type Part, put } from "./figures.ts";
import { type Cursor, nextNumber } from "./numbers.ts";
import { readSmallFile } from "./small-files.ts";

/** More are summed up in `cpu.ratio`, but not shown one by one. */
export const maximumCores = 256;

/** What a core has done since the machine started, in any unit of time. */
export interface CoreTimes {
  readonly busy: number;
  /** The part of `busy` in which the core had work, and another guest of the same host had the core. */
  readonly stolen: number;
  readonly total: number;
}

export interface CpuTimes {
  readonly all?: CoreTimes;
  /** By the number that the machine gives them: a core that is switched off leaves a gap. */
  readonly cores: ReadonlyMap<number, CoreTimes>;
}

/** How busy the cores were since the sample before. */
export function createCpu(read: () => CpuTimes): Part {
  let before: CpuTimes = { cores: new Map() };
  return {
    sample(figures) {
      const times = read();
      putAll(figures, before.all, times.all);
      for (const [core, now] of times.cores)
        put(figures, `cpu.core.${core}.ratio`, busyRatio(before.cores.get(core), now));
      before = times;
    },
  };
}

function putAll(figures: Figures, before: CoreTimes | undefined, now: CoreTimes | undefined): void {
  if (!now) return;
  put(figures, "cpu.ratio", busyRatio(before, now));
  put(figures, "cpu.steal_ratio", increase(before?.stolen, now.stolen) / increase(before?.total, now.total));
}

/** The kernel may take back some waiting time that it had counted, so that the busy time is more than all. */
function busyRatio(before: CoreTimes | undefined, now: CoreTimes): number {
  return Math.min(1, increase(before?.busy, now.busy) / increase(before?.total, now.total));
}

/** The lines `cpu …` and `cpu<n> …` at the beginning of /proc/stat. */
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

/** Guests come after `steal` and are left out: they are counted as user and nice already. */
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

/** Where there is no /proc. Node's own list does not know of stolen time. */
export function readOsCpus(platform: NodeJS.Platform): CpuTimes {
  const cores = new Map<number, CoreTimes>();
  const all = { busy: 0, stolen: NaN, total: 0 };
  for (const [core, { times }] of cpus().entries()) {
    // Windows counts interrupts as system time too.
    const busy = times.user + times.nice + times.sys + (platform === "win32" ? 0 : times.irq);
    const total = busy + times.idle;
    all.busy += busy;
    all.total += total;
    if (core < maximumCores) cores.set(core, { busy, stolen: NaN, total });
  }
  return cores.size > 0 ? { all, cores } : { cores };
}
