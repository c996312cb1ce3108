/** The processes that a run has started: test files, and the programs that these have started. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { until } from "../../src/lib/testing/until.ts";

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/**
 * When a signal ends the run, ends its processes first. Otherwise, they would continue without it: a signal reaches only
 * one process, unless a terminal sends it. Repeated signals have no effect, because npm passes on those of a terminal.
 */
export function endOnSignals(cleanUp: () => Promise<void>): void {
  let isEnding = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, async () => {
      if (isEnding) return;
      isEnding = true;
      console.error(`${signal}: ending all tests.`);
      await endStarted(cleanUp);
      // Unlike a signal, this runs the listeners that remove temporary folders.
      process.exit(128 + constants.signals[signal]);
    });
}

/**
 * Ends all processes that this one has started, directly or not. Those with a process group of their own end by
 * themselves: browsers and PostgreSQL servers notice that the process that has started them is gone, or are stopped by
 * `cleanUp`.
 */
async function endStarted(cleanUp: () => Promise<void>): Promise<void> {
  const all = listProcesses();
  const group = all.find(({ pid }) => pid === process.pid)?.group;
  const started = findDescendants(all, process.pid);
  for (const { pid } of started.filter((each) => each.group === group)) kill(pid);
  await cleanUp();
  const pids = new Set(started.map(({ pid }) => pid));
  const hasEnded = () => !listProcesses().some(({ pid }) => pids.has(pid));
  await until("all processes have ended", hasEnded, Boolean, { within: 30_000 });
}

function findDescendants(all: readonly Process[], ancestor: number): Process[] {
  const children = all.filter(({ parent }) => parent === ancestor);
  return children.flatMap((child) => [child, ...findDescendants(all, child.pid)]);
}

/** The running processes. Small containers have no `ps`, and other systems have no `/proc`. Empty on Windows. */
function listProcesses(): Process[] {
  try {
    return process.platform === "linux" ? readProc() : readPs();
  } catch {
    return [];
  }
}

function readProc(): Process[] {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return ids.flatMap((id) => {
    try {
      const stat = readFileSync(`/proc/${id}/stat`, "utf8");
      // The name before may contain anything.
      const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return state === "Z" ? [] : { pid: Number(id), parent: Number(parent), group: Number(group) };
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

function readPs(): Process[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid="], { encoding: "utf8" }).trim().split("\n");
  return rows.map((row) => {
    const [pid = 0, parent = 0, group = 0] = row.trim().split(/\s+/).map(Number);
    return { pid, parent, group };
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
