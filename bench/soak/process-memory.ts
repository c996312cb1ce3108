/** What Linux knows about a process, from `/proc`. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface ProcessMemory {
  readonly rss: number;
  /** Not backed by a file: heaps, stacks, page caches, buffers. */
  readonly anonymous: number;
  /** The part of malloc that grows in one piece, of the main thread. */
  readonly mainArena: number;
  /** The mappings of 64 MB in which malloc serves the other threads: how many, and how much of them is in memory. */
  readonly arenas: number;
  readonly arenaRss: number;
  readonly descriptors: number;
  readonly threadCount: number;
  /** CPU time so far, in seconds. */
  readonly cpuSeconds: number;
}

const arenaSize = 64 * 2 ** 20;
/** Linux reports CPU times in hundredths of a second. */
const ticksPerSecond = 100;

interface Mapping {
  readonly start: number;
  readonly end: number;
  readonly permissions: string;
  readonly path: string;
  readonly rss: number;
}

export function readProcess(pid: number): ProcessMemory {
  const folder = `/proc/${pid}`;
  const rollup = readFileSync(join(folder, "smaps_rollup"), "utf8");
  const mappings = parseMappings(readFileSync(join(folder, "smaps"), "utf8"));
  const arenas = mappings.filter((mapping, index) => isArena(mapping, mappings[index + 1]));
  const fields = readFileSync(join(folder, "stat"), "utf8").split(") ")[1]!.split(" ");
  return {
    rss: kilobytes(rollup, "Rss"),
    anonymous: kilobytes(rollup, "Anonymous"),
    mainArena: sum(mappings.filter(({ path }) => path === "[heap]")),
    arenas: arenas.length,
    arenaRss: sum(arenas),
    descriptors: readdirSync(join(folder, "fd")).length,
    threadCount: readdirSync(join(folder, "task")).length,
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
  };
}

/** An arena starts at a multiple of its size. What malloc has not used of it yet cannot be accessed. */
function isArena({ start, end, permissions, path }: Mapping, next: Mapping | undefined): boolean {
  if (path !== "" || permissions !== "rw-p" || start % arenaSize !== 0) return false;
  if (end - start === arenaSize) return true;
  return next?.start === end && next.permissions === "---p" && next.end - start === arenaSize;
}

function parseMappings(smaps: string): Mapping[] {
  return smaps.split(/^(?=[\da-f]+-[\da-f]+ )/m).map((text) => {
    const [range = "", permissions = "", , , , path = ""] = text.slice(0, text.indexOf("\n")).split(/ +/);
    const [start = 0, end = 0] = range.split("-").map((hex) => Number.parseInt(hex, 16));
    return { start, end, permissions, path, rss: kilobytes(text, "Rss") };
  });
}

function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}: +(\\d+) kB`, "m").exec(text)?.[1] ?? 0) * 1024;
}

function sum(mappings: readonly Mapping[]): number {
  return mappings.reduce((total, { rss }) => total + rss, 0);
}

/** The size of all files in a folder. Files can disappear meanwhile. */
export function measureFolder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, { parentPath, name }) => {
      const stats = statSync(join(parentPath, name), { throwIfNoEntry: false });
      return total + (stats?.size ?? 0);
    }, 0);
}
