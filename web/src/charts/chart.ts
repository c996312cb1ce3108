import type { ComponentChildren } from "preact";
import { hasLogAxis } from "../state/log-axis.ts";
import type { Colour } from "./colours.ts";

export interface ChartLine {
  readonly label: string;
  readonly colour: Colour;
  /** One value per time; null if unknown. */
  readonly values: readonly (number | null)[];
  readonly isDashed?: boolean;
  /** For a unit other than the chart's: the line uses the right axis and its own format. */
  readonly right?: { format(value: number): string };
}

export const defaultHeight = 180;

export interface TimeChartProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  /** Milliseconds since the epoch, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  format(value: number): string;
  /** Draws stacked areas, for parts of a whole. Default: lines. */
  readonly isStacked?: boolean;
  /** Draws bars as wide as their step, for counts. Default: lines. */
  readonly isBars?: boolean;
  readonly height?: number;
  /** Charts with the same key share their cursor. */
  readonly sync?: string;
  /** Shown instead of a flat line if all values are zero or unknown. */
  readonly empty?: string;
  /** Lower bound for the top of the y axis. */
  readonly least?: number;
  /** Offers a logarithmic axis, for durations. */
  readonly isDuration?: boolean;
}

export function isLogarithmic({ isDuration = false }: TimeChartProps): boolean {
  return isDuration && hasLogAxis.value;
}
