import { useMemo } from "preact/hooks";
import type { ErrorSummary, ErrorTable } from "../../../../src/features/metrics/wire.ts";
import type { ChartLine } from "../../charts/chart.ts";
import { timesOf } from "../../charts/request-lines.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { formatCount, formatSpan } from "../../format/numbers.ts";
import { useMarkers } from "../../state/audit-log.ts";
import { Panel } from "../../ui/panel.tsx";

interface VolumeProps {
  readonly table: ErrorTable;
  readonly errors: readonly ErrorSummary[];
}

/** The listed errors over time, with new ones separate: new errors usually indicate an incident. */
export function Volume({ table, errors }: VolumeProps) {
  const markers = useMarkers();
  const first = errors[0]?.series ?? [];
  const times = useMemo(() => timesOf(table, first.length), [table, first.length]);
  const lines = useMemo(() => toLines(errors, first.length), [table, errors.length]);
  return (
    <Panel title="Over time" hint={describeSum(errors)}>
      <TimeChart
        title={`Errors per ${formatSpan(table.step_ms)}`}
        times={times}
        lines={lines}
        format={formatCount}
        height={150}
        markers={markers}
        least={4}
        isStacked
        isBars
      />
    </Panel>
  );
}

function describeSum(errors: readonly ErrorSummary[]): string {
  const sum = errors.reduce((total, { count }) => total + count, 0);
  const fresh = errors.filter(({ is_new }) => is_new).length;
  const what = `${formatCount(sum)} ${sum === 1 ? "error" : "errors"}`;
  if (fresh === 0) return `${what}, none of a new kind`;
  return `${what}, ${fresh === 1 ? "one new kind" : `${fresh} new kinds`}`;
}

function toLines(errors: readonly ErrorSummary[], length: number): ChartLine[] {
  const add = (list: readonly ErrorSummary[]) =>
    Array.from({ length }, (_, index) => list.reduce((sum, { series }) => sum + (series[index] ?? 0), 0));
  return [
    { label: "Known kinds", colour: "amber", values: add(errors.filter(({ is_new }) => !is_new)) },
    { label: "New kinds", colour: "red", values: add(errors.filter(({ is_new }) => is_new)) },
  ];
}
