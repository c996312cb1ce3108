import { readdirSync, readFileSync } from "node:fs";

/** The most memory that a process has had so far, and its children with it. Linux only. */
export function peakMegabytes(pid: number): { own: number; children: number } {
  const children = childrenOf(pid).map((child) => peakMegabytes(child));
  return {
    own: highWaterMark(pid),
    children: children.reduce((sum, { own, children: further }) => sum + own + further, 0),
  };
}

function highWaterMark(pid: number): number {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) / 1024;
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
