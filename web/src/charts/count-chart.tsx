import { formatCount, formatStep } from "../format/numbers.ts";
import type { ChartLine } from "./chart.ts";
import { TimeChart } from "./time-chart.tsx";

interface CountChartProps {
  /** What is counted: "Errors". */
  readonly things: string;
  readonly stepMs: number;
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
}

/** Counts over time, stacked. */
export function CountChart({ things, stepMs, times, lines }: CountChartProps) {
  return (
    <TimeChart
      title={`${things} per ${formatStep(stepMs)}`}
      times={times}
      lines={lines}
      format={formatCount}
      height={150}
      least={4}
      isStacked
      isBars
    />
  );
}
