import type { Content } from "./content.ts";
import { median, pairedRatio } from "./median.ts";
import { contentOfResource, operationsPerResource } from "./projects/resource.ts";
import type { Run } from "./rounds.ts";
import type { Entry, SizeResult } from "./size.ts";
import type { Mode, Start } from "./subjects/annex.ts";
import type { Edit } from "./subjects/edit.ts";
import type { Delay } from "./subjects/server.ts";

export function renderSize({ handlers, entries, ...costs }: SizeResult): string {
  const { notFound, bodies, queries, responses } = contentOfResource;
  const of = (each: number) => (each * handlers) / operationsPerResource;
  const expected = `404 ${of(notFound)}, bodies ${of(bodies)}, queries ${of(queries)}, responses ${of(responses)}`;
  return `## ${handlers} handlers

${renderComparison(entries)}
Medians; ratios to the first, of the same rounds. The source has: ${expected}.

${renderCosts(costs)}`;
}

/** All tools side by side, from the start of a process to the document; the first is what the others are compared with. */
function renderComparison(entries: readonly Entry[]): string {
  const of = (runs: readonly Run[], key: keyof Run) => runs.map((run) => run[key]);
  const base = entries[0]!.runs;
  const rows = entries.map(({ name, runs, content }) => [
    `${name} (${runs.length}×)`,
    ...(["documentMs", "cpuMs", "megabytes"] as const).flatMap((key) => [
      `${Math.round(median(of(runs, key)))} ${key === "megabytes" ? "MB" : "ms"}`,
      pairedRatio(of(runs, key), of(base, key)).toFixed(2),
    ]),
    ...contentCells(content),
  ]);
  const head = ["", "document after", "ratio", "CPU", "ratio", "memory", "ratio", ...contentHead];
  return renderTable([head, ...rows]);
}

const contentHead = ["operations", "404", "bodies", "typed", "queries", "typed", "responses"];

function contentCells(content: Content | undefined): string[] {
  if (!content) return contentHead.map(() => "–");
  const { operations, notFound, bodies, typedBodies, queries, typedQueries, responses } = content;
  return [operations, notFound, bodies, typedBodies, queries, typedQueries, responses].map(String);
}

/** What the analysis costs the application, with the goals where there are some. */
function renderCosts({ starts, listeningMs, work }: Omit<SizeResult, "handlers" | "entries">): string {
  // Neighbours on the machine only ever make a start slower.
  const fastest = (mode: Mode) => Math.min(...listeningMs[mode]);
  const listening = (mode: Mode) => {
    const byMedians = median(listeningMs[mode]) - median(listeningMs.without);
    return `${ms(fastest(mode))} (${signed(fastest(mode) - fastest("without"))}; by medians ${signed(byMedians)})`;
  };
  const behind = (mode: Mode) => {
    const times = starts[mode].map((start) => start.documentMs - start.listeningMs);
    return `${ms(median(times))} (fastest ${ms(Math.min(...times))})`;
  };
  const { delay, edits } = work;
  return renderTable(
    [
      [`start to listening, fastest of ${listeningMs.without.length}, without`, ms(fastest("without")), ""],
      ["… cold", listening("cold"), "goal for 500: + 150 ms"],
      ["… cached", listening("cached"), "goal for 500: + 40 ms"],
      ["listening to exact document, cold", behind("cold"), "goal for 500: 1500 ms"],
      ["… cached", behind("cached"), ""],
      ["… without (routes only)", behind("without"), ""],
      ["one edited file, after a cold start", renderEdit(edits.afterCold), "goal: 20 ms"],
      ["… after a cached start", renderEdit(edits.afterCached), ""],
      ["memory, without", renderMemory(starts.without), ""],
      ["… cold", renderMemory(starts.cold), ""],
      ["… cached", renderMemory(starts.cached), ""],
      ["event loop held, without", renderDelay(delay.without), ""],
      ["… while the source is read", renderDelay(delay.reading), ""],
      ["… while the document is made", `at most ${ms(delay.document.max)}`, ""],
    ],
    "left",
  );
}

/** How long the analysis waits for an editor to finish writing. */
const settleMs = 80;

function renderEdit(edit: Edit | undefined): string {
  if (!edit) return "not seen";
  const { exactMs, shownMs } = edit;
  return `${ms(exactMs)}, less the debounce ${ms(exactMs - settleMs)} (shown without types after ${ms(shownMs - settleMs)})`;
}

function renderMemory(starts: readonly Start[]): string {
  const compiler = median(starts.map(({ compilerMegabytes }) => compilerMegabytes));
  const server = median(starts.map(({ megabytes, compilerMegabytes }) => megabytes - compilerMegabytes));
  return `${Math.round(server)} MB${compiler > 0 ? ` + compiler ${Math.round(compiler)} MB` : ""}`;
}

const renderDelay = ({ p99, max }: Delay) => `p99 ${ms(p99)}, at most ${ms(max)}`;

function ms(value: number): string {
  return `${Math.abs(value) < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

const signed = (value: number) => `${value < 0 ? "−" : "+"}${ms(Math.abs(value))}`;

/** Names to the left; numbers to the right, unless they are sentences. */
function renderTable(rows: readonly (readonly string[])[], align: "left" | "right" = "right"): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const pad = (cell: string, column: number) =>
    column === 0 || align === "left" ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return rows.map((row) => row.map(pad).join("   ").trimEnd()).join("\n");
}
