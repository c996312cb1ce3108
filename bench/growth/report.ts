import { routes } from "./fill/metrics.ts";
import type { Cost } from "./meter.ts";
import type { SubjectResult } from "./subject.ts";
import { scaleUnit, type Unit } from "./unit.ts";

/** By checkout, and by the amount of data. */
export type Results = Readonly<Record<string, Readonly<Record<number, SubjectResult>>>>;

const unitOf: Record<string, { name: string; count(unit: Unit): number }> = {
  logs: { name: "request record", count: ({ records }) => records },
  runs: { name: "run", count: ({ runs }) => runs },
  metrics: {
    name: "route, with 20 requests per second to all of them",
    count: () => routes,
  },
  visitors: { name: "visitor", count: ({ visitorDays, visitorsPerDay }) => visitorDays * visitorsPerDay },
};

/** Bytes on disk, as a Markdown table. */
export function renderSizes(results: Results): string {
  const rows = Object.entries(results).flatMap(([label, byScale]) => {
    const [scale, { sizes }] = Object.entries(byScale).at(-1)!;
    return Object.entries(sizes).map(([store, bytes]) => {
      const { name, count } = unitOf[store]!;
      const each = bytes / count(scaleUnit(Number(scale)));
      return [label, store, megabytes(bytes), `${Math.round(each).toLocaleString("en")} B per ${name}`];
    });
  });
  return table(["checkout", "store", "on disk", "per unit"], rows);
}

/** Costs that at least this many times the data make this many times as high are called linear. */
const linearShare = 0.5;
/** Below, the figure is mostly noise. */
const leastMs = 20;

export function renderCosts(results: Results): string {
  const labels = Object.keys(results);
  const scales = Object.keys(results[labels[0]!]!).map(Number);
  const names = results[labels.at(-1)!]![scales[0]!]!.costs.map(({ name }) => name);
  const header = [
    "CPU ms / longest turn ms",
    ...labels.flatMap((label) => scales.map((scale) => `${label} ${scale}×`)),
  ];
  const rows = names.map((name) => {
    const costsOf = (label: string) =>
      scales.map((scale) => results[label]![scale]!.costs.find((cost) => cost.name === name));
    const cells = labels.flatMap((label) =>
      costsOf(label).map((cost) => (cost ? `${cost.cpuMs.toFixed(1)} / ${cost.turnMs.toFixed(1)}` : "")),
    );
    const last = costsOf(labels.at(-1)!);
    return [name, ...cells, isLinear(scales, last[0], last.at(-1)) ? "linear" : ""];
  });
  return table([...header, "growth"], rows);
}

/** Rows that documentation shows as one, with the highest figures. */
const groups: readonly { readonly name: string; readonly prefix: RegExp }[] = [
  { name: "runs: last page, most expensive order", prefix: /^runs: last page/ },
  { name: "runs: first page, most expensive order and filter", prefix: /^runs: .*, sort=/ },
];

/** Sizes and costs of one checkout, shorter than the whole report. */
export function renderForDocs(byScale: Results[string]): string {
  const scales = Object.keys(byScale).map(Number);
  const all = scales.map((scale) => byScale[scale]!);
  const sizes = Object.keys(all[0]!.sizes).map((store) => [
    store,
    ...all.map((result) => megabytes(result.sizes[store]!)),
  ]);
  const grouped = all.map(({ costs }) => Map.groupBy(costs, ({ name }) => groupOf(name)));
  const costs = [...grouped[0]!.keys()].map((name) => {
    const found = grouped.map((byName) => highest(byName.get(name)!));
    return [
      name,
      ...found.map(({ cpuMs, turnMs }) => `${cpuMs.toFixed(0)} / ${turnMs.toFixed(0)}`),
      isLinear(scales, found[0], found.at(-1)) ? "linear" : "",
    ];
  });
  const columns = scales.map((scale) => `${scale}×`);
  return [
    table(["On disk", ...columns], sizes),
    table(["CPU ms / longest turn ms", ...columns, "growth"], costs),
  ].join("\n\n");
}

const groupOf = (name: string) => groups.find(({ prefix }) => prefix.test(name))?.name ?? name;

function highest(costs: readonly Cost[]): Cost {
  return {
    cpuMs: Math.max(...costs.map(({ cpuMs }) => cpuMs)),
    turnMs: Math.max(...costs.map(({ turnMs }) => turnMs)),
  };
}

function isLinear(scales: readonly number[], first: Cost | undefined, last: Cost | undefined): boolean {
  const growth = (last?.cpuMs ?? 0) / Math.max(1, first?.cpuMs ?? 1);
  return growth > (scales.at(-1)! / scales[0]!) * linearShare && (last?.cpuMs ?? 0) > leastMs;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
