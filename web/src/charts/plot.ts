import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Marker, MarkerKind } from "../data/markers.ts";
import { formatWithin } from "../format/times.ts";
import { markers } from "../state/audit-log.ts";
import { chooseWindow } from "../state/time-window.ts";
import { type ChartLine, defaultHeight, isLogarithmic, type TimeChartProps } from "./chart.ts";
import { type Colour, colourOf } from "./colours.ts";
import { logRange, logTicks } from "./log-axis.ts";
import type { PlotPlace } from "./marker-flags.tsx";

/** Translates a chart's properties to uPlot's data and options. */

/** The latest properties. The plot outlives a render, so its callbacks read them from here. */
export interface Latest {
  readonly current: TimeChartProps;
}

/** Fixed widths align the plots of stacked charts, with or without a right axis. */
const leftWidth = 58;
const rightWidth = 52;
/** On a phone, the plot needs the room more than it needs to be aligned. */
const narrow = 420;

interface PlotListeners {
  point(index: number | null): void;
  draw(place: PlotPlace): void;
}

/** A plot that fills the width of its element. */
export interface Plot {
  /** Draws the latest data. */
  update(): void;
  /** Draws the markers again. */
  redraw(): void;
  destroy(): void;
}

export function createPlot(latest: Latest, target: HTMLElement, on: PlotListeners): Plot {
  const plot = new uPlot(toPlotOptions(latest, target.clientWidth, on), toPlotData(latest.current), target);
  const resizes = new ResizeObserver(() => {
    const width = target.clientWidth;
    if (width > 0 && width !== plot.width) plot.setSize({ width, height: plot.height });
  });
  resizes.observe(target);
  return {
    update: () => plot.setData(toPlotData(latest.current)),
    redraw: () => plot.redraw(false),
    destroy() {
      resizes.disconnect();
      plot.destroy();
    },
  };
}

function toPlotData({ times, lines, isStacked }: TimeChartProps): uPlot.AlignedData {
  if (!isStacked) return [times as number[], ...lines.map(({ values }) => values as (number | null)[])];
  // The first line is at the bottom; each area starts at the top of the one below.
  const sums: number[][] = [];
  for (const { values } of lines) {
    const below = sums.at(-1);
    sums.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)));
  }
  return [times as number[], ...sums];
}

function toPlotOptions(latest: Latest, width: number, on: PlotListeners): uPlot.Options {
  const { lines, isStacked = false, isBars = false, height = defaultHeight, sync } = latest.current;
  const hasRight = lines.some(({ right }) => right);
  return {
    width,
    height,
    ms: 1,
    legend: { show: false },
    padding: [8, hasRight ? 0 : width < narrow ? 8 : rightWidth, 0, 0],
    cursor: {
      drag: { x: true, y: false, setScale: false },
      points: { size: 6 },
      y: false,
      ...(sync !== undefined && { sync: { key: sync, setSeries: false } }),
    },
    scales: {
      ...(isBars && { x: { range: (plot: uPlot, from: number, to: number) => [from, to + stepOf(plot)] } }),
      y: isLogarithmic(latest.current) ? logScale : evenScale(latest),
      ...(hasRight && { right: { range: (_: uPlot, __: number, most: number) => [0, most * 1.08 || 1] } }),
    } as uPlot.Scales,
    axes: createAxes(latest, hasRight),
    series: [{}, ...lines.map((line) => createSeries(line, { isStacked, isBars, count: lines.length }))],
    ...(isStacked && {
      bands: lines.slice(1).map((_, index) => ({ series: [index + 2, index + 1] as [number, number] })),
    }),
    hooks: {
      setCursor: [(plot) => on.point(plot.cursor.idx ?? null)],
      setSelect: [zoom],
      draw: [
        (plot) => {
          drawMarkers(plot, markers.peek());
          on.draw(placeOf(plot));
        },
      ],
    },
  };
}

function evenScale(latest: Latest): uPlot.Scale {
  return { range: (_, __, most) => [0, Math.max(most, latest.current.least ?? 0) * 1.08 || 1] };
}

/** Without the clamp, a line would leave the plot at each zero. */
const logScale: uPlot.Scale = {
  distr: 3,
  range: (_, least, most) => logRange(least, most),
  clamp: (_, __, low) => low,
};

const logTickSpace = 20;

const logAxis: uPlot.Axis = {
  splits: (plot, _, low, high) =>
    logTicks(low, high, Math.floor(plot.bbox.height / window.devicePixelRatio / logTickSpace)),
  filter: (_, splits) => splits,
};

function createAxes(latest: Latest, hasRight: boolean): uPlot.Axis[] {
  const look = {
    stroke: colourOf("quiet-ink"),
    font: "11px system-ui, sans-serif",
    grid: { stroke: colourOf("grid"), width: 1 },
    ticks: { show: false },
  };
  const left = { ...look, size: leftWidth, space: 34 };
  const rightFormat = (value: number) =>
    latest.current.lines.find(({ right }) => right)?.right?.format(value) ?? "";
  return [
    {
      ...look,
      size: 26,
      // A label with a date is wider than a time alone.
      space: (_, __, from, to) => (to - from > 86_400_000 ? 104 : 76),
      values: (plot, splits) => splits.map((time) => formatWithin(time, spanOf(plot))),
    },
    {
      ...left,
      ...(isLogarithmic(latest.current) && logAxis),
      values: (_, splits) => splits.map((value) => latest.current.format(value)),
    },
    ...(hasRight
      ? [
          {
            ...left,
            size: rightWidth,
            scale: "right",
            side: 1 as const,
            grid: { show: false },
            values: (_: uPlot, splits: number[]) => splits.map(rightFormat),
          },
        ]
      : []),
  ];
}

function createSeries(
  { label, colour, isDashed, right }: ChartLine,
  { isStacked, isBars, count }: { isStacked: boolean; isBars: boolean; count: number },
): uPlot.Series {
  const isFilled = isStacked || isBars || count === 1;
  return {
    label,
    stroke: colourOf(colour),
    // Stacked areas have no outline: an area of zero height would still show one on top of the stack.
    width: isBars || isStacked ? 0 : 1.5,
    points: { show: false },
    ...(right && { scale: "right" }),
    ...(isDashed && { dash: [4, 4] }),
    ...(isBars && { paths: bars }),
    ...(isFilled && { fill: colourOf(colour, isBars || isStacked ? 0.85 : 0.13) }),
  };
}

/** A bar starts at its step and ends before the next one. */
const bars = uPlot.paths.bars!({ size: [0.8, 72], align: 1 });

function stepOf({ data: [times] }: uPlot): number {
  return times.length < 2 ? 60_000 : times[1]! - times[0]!;
}

function spanOf(plot: uPlot): number {
  return (plot.scales.x?.max ?? 0) - (plot.scales.x?.min ?? 0);
}

function zoom(plot: uPlot): void {
  const { left, width } = plot.select;
  const [from, to] = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
  // A chart without points has no times either.
  if (width >= 4 && Number.isFinite(from) && Number.isFinite(to)) chooseWindow({ from, to });
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

const markerColours: Readonly<Record<MarkerKind, Colour>> = {
  release: "violet",
  restart: "grey",
  crash: "red",
  setting: "amber",
};

function drawMarkers(plot: uPlot, shown: readonly Marker[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.setLineDash([3, 3]);
  for (const { at, kind } of shown) {
    const x = Math.round(plot.valToPos(at, "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = colourOf(markerColours[kind]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function placeOf({ bbox, scales }: uPlot): PlotPlace {
  const toPixels = (value: number) => value / window.devicePixelRatio;
  const { left, top, width } = bbox;
  return {
    left: toPixels(left),
    top: toPixels(top),
    width: toPixels(width),
    from: scales.x?.min ?? 0,
    to: scales.x?.max ?? 0,
  };
}
