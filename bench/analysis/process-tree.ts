import { readdirSync, readFileSync } from "node:fs";

/** What a process has used so far, apart from its children and what these have. Linux only. */
export interface Usage {
  /** The most memory it ever had at once. */
  readonly megabytes: number;
  readonly childMegabytes: number;
  /** Of both. */
  readonly cpuMs: number;
}

export function readUsage(pid: number): Usage {
  const children = childrenOf(pid).map((child) => readUsage(child));
  const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
  return {
    megabytes: highWaterMark(pid),
    childMegabytes: sum(children.map((child) => child.megabytes + child.childMegabytes)),
    cpuMs: cpuMsOf(pid) + sum(children.map(({ cpuMs }) => cpuMs)),
  };
}

function highWaterMark(pid: number): number {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) / 1024;
}

/** The kernel counts in hundredths of a second. */
const tickMs = 10;

/** The name of the process stands in brackets and may hold anything; after it come fields, of which 12 and 13 are ticks. */
function cpuMsOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(") ").at(-1)!.split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs;
}

/** A child is listed with the thread that started it. */
function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** A process may end while we look at it. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
