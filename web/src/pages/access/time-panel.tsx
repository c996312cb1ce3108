import { useMemo } from "preact/hooks";
import type { AccessKind, AccessSummary } from "../../../../src/features/access/wire.ts";
import type { ChartLine } from "../../charts/chart.ts";
import { CountChart } from "../../charts/count-chart.tsx";
import { timesOf } from "../../charts/request-lines.ts";
import { formatCount } from "../../format/numbers.ts";
import { Panel } from "../../ui/panel.tsx";
import { chosenKinds } from "./filter-params.ts";
import { failureKinds, kindLooks } from "./kinds.ts";

/** Failures over time, or the chosen kinds. */
export function TimePanel({ summary }: { summary: AccessSummary }) {
  const chosen = chosenKinds();
  const shown: readonly AccessKind[] = chosen.length > 0 ? chosen : failureKinds;
  const steps = (summary.to - summary.from) / summary.step_ms;
  const times = useMemo(() => timesOf(summary, steps), [summary]);
  const lines = useMemo(() => shown.map((kind) => toLine(summary, kind, steps)), [summary, shown.join()]);
  return (
    <Panel title={chosen.length > 0 ? "Over time" : "Failures over time"} hint={describeSum(summary, shown)}>
      <CountChart things="Events" stepMs={summary.step_ms} times={times} lines={lines} />
    </Panel>
  );
}

function toLine({ series }: AccessSummary, kind: AccessKind, steps: number): ChartLine {
  const { word: label, colour } = kindLooks[kind];
  return { label, colour, values: series[kind] ?? new Array<number>(steps).fill(0) };
}

function describeSum({ kinds }: AccessSummary, shown: readonly AccessKind[]): string {
  const sum = shown.reduce((total, kind) => total + kinds[kind], 0);
  if (sum === 0) return "None in this window";
  return `${formatCount(sum)} ${sum === 1 ? "event" : "events"} in this window`;
}
