import type { LoadStats } from "./load.ts";
import type { ProcessMemory } from "./process-memory.ts";
import type { Heaps } from "./subject-process.ts";

export interface Sample extends Heaps, ProcessMemory {
  readonly minute: number;
  /** Size of the data folder. */
  readonly disk: number;
  readonly load: LoadStats;
  readonly failedQueries: number;
}
/** By subject. */
export type Samples = Readonly<Record<string, readonly Sample[]>>;

const mb = 1e6;
const sizes: Record<string, (sample: Sample) => number> = {
  RSS: ({ rss }) => rss / mb,
  anonymous: ({ anonymous }) => anonymous / mb,
  "heap used": ({ heapUsed }) => heapUsed / mb,
  "heap total": ({ heapTotal }) => heapTotal / mb,
  "heap, young generation": ({ young }) => young / mb,
  "heaps of threads": ({ threads }) => sum(Object.values(threads).map(({ total }) => total)) / mb,
  external: ({ external }) => external / mb,
  "array buffers": ({ arrayBuffers }) => arrayBuffers / mb,
  "malloc, main arena": ({ mainArena }) => mainArena / mb,
  "malloc, other arenas": ({ arenaRss }) => arenaRss / mb,
  "data folder": ({ disk }) => disk / mb,
};
const counts: Record<string, (sample: Sample) => number> = {
  "arenas of 64 MB": ({ arenas }) => arenas,
  descriptors: ({ descriptors }) => descriptors,
  threads: ({ threadCount }) => threadCount,
};

/** What each subject had at the beginning, in the middle and at the end, and the slope of the last half. */
export function renderSummary(samples: Samples): string {
  return Object.entries(samples)
    .map(([name, all]) => `### ${name}\n\n${renderSubject(all)}`)
    .join("\n\n");
}

function renderSubject(all: readonly Sample[]): string {
  const last = all.at(-1)!;
  const picked = [0.1, 0.25, 0.5, 0.75, 1].map((share) => all[Math.ceil((all.length - 1) * share)]!);
  const half = all.slice(Math.floor(all.length / 2));
  const rows = [
    ...Object.entries(sizes).map(([title, read]) => [
      `${title}, MB`,
      ...picked.map((sample) => read(sample).toFixed(1)),
      slopePerHour(half, read).toFixed(1),
    ]),
    ...Object.entries(counts).map(([title, read]) => [
      title,
      ...picked.map((sample) => String(read(sample))),
      slopePerHour(half, read).toFixed(1),
    ]),
  ];
  const { sent, received, skipped, failed } = last.load;
  const cpu = (last.cpuSeconds - all[0]!.cpuSeconds) / (last.minute - all[0]!.minute) / 60;
  return [
    table(["", ...picked.map(({ minute }) => `min ${Math.round(minute)}`), "per hour, last half"], rows),
    `${sent} requests, ${received} responses, ${skipped} not sent, ${failed} failed, ${last.failedQueries} queries failed, ${(cpu * 100).toFixed(1)}% of a core`,
  ].join("\n\n");
}

/** The slope of the line with the least squares. */
export function slopePerHour(all: readonly Sample[], read: (sample: Sample) => number): number {
  const xs = all.map(({ minute }) => minute / 60);
  const ys = all.map(read);
  const [meanX, meanY] = [sum(xs) / xs.length, sum(ys) / ys.length];
  const above = sum(xs.map((x, index) => (x - meanX) * (ys[index]! - meanY)));
  const below = sum(xs.map((x) => (x - meanX) ** 2));
  return below === 0 ? 0 : above / below;
}

/** RSS over time, one column for each subject. */
export function renderCurve(samples: Samples, rows: number): string {
  const names = Object.keys(samples);
  const all = Object.values(samples);
  const length = Math.min(...all.map((each) => each.length));
  const step = Math.max(1, Math.floor(length / rows));
  const lines: string[][] = [];
  for (let at = 0; at < length; at += step)
    lines.push([
      String(Math.round(all[0]![at]!.minute)),
      ...all.map((each) => (each[at]!.rss / mb).toFixed(0)),
    ]);
  return table(["minute", ...names.map((name) => `${name}, RSS in MB`)], lines);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
