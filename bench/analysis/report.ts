import type { Content } from "./content.ts";
import type { AnnexResult } from "./subjects/annex.ts";
import type { Edit } from "./subjects/edit.ts";
import type { PeerResult } from "./subjects/peers.ts";

/** All tools side by side: from the start of a process to the document. */
export function renderComparison(annex: AnnexResult, peers: readonly PeerResult[]): string {
  const megabytesOf = ({ serverMegabytes, compilerMegabytes }: AnnexResult["cold"]) =>
    serverMegabytes + compilerMegabytes;
  const base = { milliseconds: annex.cold.documentMs, megabytes: megabytesOf(annex.cold) };
  const rows = [
    { name: "annex, cold", runs: annex.runs, ...base, content: annex.content },
    {
      name: "annex, cached",
      runs: annex.runs,
      milliseconds: annex.cached.documentMs,
      megabytes: megabytesOf(annex.cached),
      content: annex.content,
    },
    ...peers,
  ];
  const head = ["", "to the document", "over ours", "memory", "over ours", "operations", ...contentHead];
  return renderTable([
    head,
    ...rows.map(({ name, runs, milliseconds, megabytes, content }) => [
      `${name} (${runs}×)`,
      `${Math.round(milliseconds)} ms`,
      (milliseconds / base.milliseconds).toFixed(2),
      `${Math.round(megabytes)} MB`,
      (megabytes / base.megabytes).toFixed(2),
      ...contentCells(content),
    ]),
  ]);
}

const contentHead = ["404", "bodies", "typed", "queries", "typed", "answers"];

function contentCells(content: Content | undefined): string[] {
  if (!content) return Array(contentHead.length + 1).fill("–");
  const { operations, notFound, bodies, typedBodies, queries, typedQueries, answers } = content;
  return [operations, notFound, bodies, typedBodies, queries, typedQueries, answers].map(String);
}

/** How long an editor may take to write a file; the analysis waits for it. */
const settleMs = 80;

/** What the analysis costs the application, with the goals where there are some. */
export function renderOwn({ without, cold, cached, addedMs, delay, edits }: AnnexResult): string {
  const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
  const added = (value: number) => `${value < 0 ? "-" : "+"}${ms(Math.abs(value))}`;
  const held = ({ p99, max }: AnnexResult["delay"]["reading"]) => `p99 ${ms(p99)}, at most ${ms(max)}`;
  const edit = (seen: Edit | undefined) =>
    seen
      ? `${ms(seen.exactMs)}, less the debounce ${ms(seen.exactMs - settleMs)} (new name shown after ${ms(seen.shownMs - settleMs)})`
      : "not seen";
  const memory = ({ serverMegabytes, compilerMegabytes }: AnnexResult["cold"]) =>
    `${Math.round(serverMegabytes)} MB${compilerMegabytes > 0 ? ` + compiler ${Math.round(compilerMegabytes)} MB` : ""}`;
  const start = (each: AnnexResult["cold"], difference: number) =>
    `${ms(each.listeningMs)} (${added(difference)}, ${(each.listeningMs / without.listeningMs).toFixed(2)}×)`;
  return renderTable(
    [
      ["start to listening, without analysis", ms(without.listeningMs), ""],
      ["… cold", start(cold, addedMs.cold), "goal for 500: + 150 ms"],
      ["… cached", start(cached, addedMs.cached), "goal for 500: + 40 ms"],
      ["listening to exact document, cold", ms(cold.behindMs), "goal for 500: 1500 ms"],
      ["… cached", ms(cached.behindMs), ""],
      ["… without analysis (routes only)", ms(without.behindMs), ""],
      ["one edited file, to exact document", edit(edits.afterCold), "goal: 20 ms"],
      ["… after a cached start", edit(edits.afterCached), ""],
      ["memory without analysis", memory(without), ""],
      ["… cold", memory(cold), ""],
      ["… cached", memory(cached), ""],
      ["event loop held, without analysis", held(delay.without), ""],
      ["… while the source is read", held(delay.reading), ""],
      ["… while the document is made", `at most ${ms(delay.document.max)}`, ""],
    ],
    "left",
  );
}

/** Names to the left, figures to the right. */
function renderTable(rows: readonly (readonly string[])[], align: "left" | "right" = "right"): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const pad = (cell: string, column: number) =>
    column === 0 || align === "left" ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return rows.map((row) => row.map(pad).join("   ").trimEnd()).join("\n");
}
