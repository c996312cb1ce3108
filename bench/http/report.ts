import type { Burst } from "./rounds.ts";

/** A median with the quartiles around it: on a shared machine the mean belongs to whoever else was running. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}
export interface Summary {
  subject: string;
  cpuMicros: Spread;
  requestsPerSecond: Spread;
  p99Ms: Spread;
  /** Above 1 the subject is cheaper, or faster, than the baseline. */
  cpuRatio: Spread;
  requestsRatio: Spread;
  generatorLoad: Spread;
  /** CPU time over wall time: a server under full load that stays well below 1 had to wait for its core. */
  coreShare: Spread;
}

/** Each burst is compared with the baseline's burst nearest in time, which met the same neighbours on the machine. */
export function summarise(bursts: readonly Burst[], baseline: string): Summary[] {
  const bySubject = Map.groupBy(bursts, (burst) => burst.subject);
  const references = bySubject.get(baseline) ?? [];
  return [...bySubject].map(([subject, own]) => {
    const pairs = own.map((burst) => ({ burst, reference: nearest(burst, references) }));
    return {
      subject,
      cpuMicros: spreadOf(own.map((burst) => burst.cpuMicros)),
      requestsPerSecond: spreadOf(own.map((burst) => burst.requestsPerSecond)),
      p99Ms: spreadOf(own.map((burst) => burst.p99Ms)),
      cpuRatio: spreadOf(pairs.map(({ burst, reference }) => reference.cpuMicros / burst.cpuMicros)),
      requestsRatio: spreadOf(
        pairs.map(({ burst, reference }) => burst.requestsPerSecond / reference.requestsPerSecond),
      ),
      generatorLoad: spreadOf(own.map((burst) => burst.generatorLoad)),
      coreShare: spreadOf(own.map((burst) => (burst.cpuMicros / 1e6) * burst.requestsPerSecond)),
    };
  });
}

function nearest(burst: Burst, references: readonly Burst[]): Burst {
  return references.reduce((best, other) =>
    Math.abs(other.at - burst.at) < Math.abs(best.at - burst.at) ? other : best,
  );
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** Interpolated between the two nearest values. */
function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position % 1);
}

export function renderTable(summaries: readonly Summary[], baseline: string): string {
  const head = ["", "CPU µs/request", `over ${baseline}`, "requests/s", `over ${baseline}`, "p99 ms"];
  const rows = summaries.map((summary) => [
    summary.subject,
    summary.cpuMicros.median.toFixed(2),
    renderRatio(summary.cpuRatio),
    Math.round(summary.requestsPerSecond.median).toLocaleString("en"),
    renderRatio(summary.requestsRatio),
    summary.p99Ms.median.toFixed(1),
  ]);
  const table = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join("   "))
    .map((line) => line.trimEnd())
    .join("\n");
}

function renderRatio({ median, low, high }: Spread): string {
  return `${median.toFixed(3)} (${low.toFixed(3)}–${high.toFixed(3)})`;
}

/** Names to the left, numbers to the right. */
function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
