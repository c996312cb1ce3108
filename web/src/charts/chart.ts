import type { ComponentChildren } from "preact";
import type { Colour } from "./colours.ts";

/** What a chart shows. */

export interface ChartLine {
  readonly label: string;
  readonly colour: Colour;
  /** One for each time; null where nothing is known. */
  readonly values: readonly (number | null)[];
  readonly isDashed?: boolean;
  /** Where its unit is another one than that of the chart: it has the axis at the right, and its own words. */
  readonly right?: { format(value: number): string };
}

export interface TimeChartProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  /** Milliseconds since the epoch, ascending. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  format(value: number): string;
  /** Areas on top of each other, for parts of a whole. Default: lines. */
  readonly isStacked?: boolean;
  /** Bars, each as wide as its step, for what is counted rather than measured. Default: lines. */
  readonly isBars?: boolean;
  readonly height?: number;
  /** Charts with the same word show the same moment. */
  readonly sync?: string;
  /** Moments that may explain something. */
  readonly markers?: readonly number[];
  /** The largest value that the axis shows at least. */
  readonly least?: number;
}
