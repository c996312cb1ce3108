import { useMemo } from "preact/hooks";
import type { ErrorSummary, ErrorTable } from "../../../../src/features/metrics/wire.ts";
import type { ChartLine } from "../../charts/chart.ts";
import { CountChart } from "../../charts/count-chart.tsx";
import { timesOf } from "../../charts/request-lines.ts";
import { formatCount } from "../../format/numbers.ts";
import { Panel } from "../../ui/panel.tsx";

interface VolumeProps {
  readonly table: ErrorTable;
  readonly errors: readonly ErrorSummary[];
}

/** The listed errors over time, with new ones separate: new errors usually indicate an incident. */
export function Volume({ table, errors }: VolumeProps) {
  const first = errors[0]?.series ?? [];
  const times = useMemo(() => timesOf(table, first.length), [table, first.length]);
  const lines = useMemo(() => toLines(errors, first.length, table.has_earlier), [table, errors.length]);
  return (
    <Panel title="Over time" hint={describeSum(errors, table.has_earlier)}>
      <CountChart things="Errors" stepMs={table.step_ms} times={times} lines={lines} />
    </Panel>
  );
}

function describeSum(errors: readonly ErrorSummary[], hasEarlier: boolean): string {
  const sum = errors.reduce((total, { count }) => total + count, 0);
  const fresh = errors.filter(({ is_new }) => is_new).length;
  const what = `${formatCount(sum)} ${sum === 1 ? "error" : "errors"}`;
  if (!hasEarlier) return what;
  if (fresh === 0) return `${what}, none of them new`;
  return `${what}, ${fresh === 1 ? "one distinct error is new" : `${fresh} distinct errors are new`}`;
}

function toLines(errors: readonly ErrorSummary[], length: number, hasEarlier: boolean): ChartLine[] {
  const add = (list: readonly ErrorSummary[]) =>
    Array.from({ length }, (_, index) => list.reduce((sum, { series }) => sum + (series[index] ?? 0), 0));
  if (!hasEarlier) return [{ label: "Errors", colour: "red", values: add(errors) }];
  return [
    { label: "Known", colour: "amber", values: add(errors.filter(({ is_new }) => !is_new)) },
    { label: "New", colour: "red", values: add(errors.filter(({ is_new }) => is_new)) },
  ];
}
