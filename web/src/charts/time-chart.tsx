import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { formatWithin } from "../format/times.ts";
import { markers } from "../state/audit-log.ts";
import { hasLogAxis, switchLogAxis } from "../state/log-axis.ts";
import { theme } from "../state/theme.ts";
import { zoneName } from "../state/zone.ts";
import { type ChartLine, defaultHeight, isLogarithmic, type TimeChartProps } from "./chart.ts";
import { ChartTable } from "./chart-table.tsx";
import { MarkerFlags, type PlotPlace } from "./marker-flags.tsx";
import type { Plot } from "./plot.ts";

let plots: Promise<typeof import("./plot.ts")> | undefined;

/** Loaded after the page: on a slow line, its size would delay the first numbers. */
function loadPlots(): Promise<typeof import("./plot.ts")> {
  plots ??= import("./plot.ts");
  plots.catch(() => {
    plots = undefined;
  });
  return plots;
}

/**
 * Values over time: lines, stacked areas or bars on a canvas. The legend shows the values under the pointer, and a
 * table lists all values for screen readers and for copying. Dragging selects a time window.
 */
export function TimeChart(props: TimeChartProps) {
  const {
    title,
    hint,
    times,
    lines,
    format,
    isStacked = false,
    isBars = false,
    height = defaultHeight,
    empty,
    isDuration = false,
  } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<Plot | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const pointed = useSignal<number | null>(null);
  const drawn = useSignal<PlotPlace | undefined>(undefined);
  const id = useId();
  const shape = `${lines.map(({ label, colour }) => label + colour).join()}|${isStacked}|${isBars}|${height}`;
  const look = `${theme.value}${zoneName.value}${isLogarithmic(props)}`;

  // Recreate the plot only if one of its structural properties changes.
  useEffect(() => {
    let isGone = false;
    loadPlots().then(
      ({ createPlot }) => {
        // Preact cleans up after the next frame; until then, only the missing element tells that the chart is gone.
        if (isGone || !place.current) return;
        chart.current = createPlot(latest, place.current, {
          point(index) {
            pointed.value = index;
          },
          draw(at) {
            if (!isSamePlace(at, drawn.peek())) drawn.value = at;
          },
        });
      },
      () => {
        // The legend and the table have the values, and the next chart tries again.
      },
    );
    return () => {
      isGone = true;
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, [shape, look]);

  useEffect(() => {
    chart.current?.update();
  }, [times, lines]);
  const marked = markers.value;
  useEffect(() => {
    chart.current?.redraw();
  }, [marked]);

  const isFlat =
    times.length === 0 ||
    (empty !== undefined && lines.every(({ values }) => values.every((value) => !value)));
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const at = pointed.value ?? times.length - 1;
  const formatOf = ({ right }: ChartLine, value: number | null | undefined) =>
    value == null ? "–" : (right?.format ?? format)(value);
  const textOf = (line: ChartLine, index: number) => formatOf(line, line.values[index]);
  // The last bar is incomplete, so without a pointer the legend of a bar chart shows totals.
  const showInLegend = (line: ChartLine) =>
    isBars && pointed.value === null ? formatOf(line, sumOf(line)) : textOf(line, at);
  return (
    <figure class="chart stack gap-4" aria-labelledby={id}>
      <figcaption class="row baseline">
        <span class="strong" id={id}>
          {title}
        </span>
        {hint && <span class="hint">{hint}</span>}
        <span class="chart-time hint push">
          {pointed.value !== null
            ? times[at] && formatWithin(times[at], span)
            : times.length > 0 && (isBars ? "in total" : "latest")}
        </span>
        {isDuration && <LogAxisButton />}
      </figcaption>
      <Legend lines={lines} show={showInLegend} />
      <div class="chart-area" style={{ minHeight: `${height}px` }}>
        {isFlat && <p class="chart-empty hint">{times.length === 0 ? "Loading…" : empty}</p>}
        <div
          class={isFlat ? "chart-plot is-empty" : "chart-plot"}
          ref={place}
          role="img"
          aria-label={`${title}, as a chart; the table below has the values`}
        />
        <MarkerFlags markers={marked} place={drawn.value} />
      </div>
      <ChartTable title={title} times={times} lines={lines} textOf={textOf} />
    </figure>
  );
}

function Legend({ lines, show }: { lines: readonly ChartLine[]; show(line: ChartLine): string }) {
  return (
    <ul class="legend totals cluster gap-11 hint">
      {lines.map((line) => (
        <li key={line.label} class="row inline gap-4">
          <span class={`swatch ${line.colour}`} />
          {line.label}
          <b>{show(line)}</b>
        </li>
      ))}
    </ul>
  );
}

function LogAxisButton() {
  return (
    <button
      type="button"
      class="log-axis"
      title="Logarithmic axis"
      aria-pressed={hasLogAxis.value}
      onClick={switchLogAxis}
    >
      Log <span class="visually-hidden">axis</span>
    </button>
  );
}

function isSamePlace(one: PlotPlace, other: PlotPlace | undefined): boolean {
  return (
    other !== undefined && (Object.keys(one) as (keyof PlotPlace)[]).every((key) => one[key] === other[key])
  );
}

function sumOf({ values }: ChartLine): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}
