import { useMemo } from "preact/hooks";
import type { Series, Visits } from "../../../../src/features/visitors/wire.ts";
import type { ChartLine } from "../../charts/chart.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { formatCount } from "../../format/numbers.ts";
import { useQuery } from "../../state/query.ts";
import { choosePreset } from "../../state/time-window.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FileLink } from "./file-link.tsx";
import { isComparing, whoParams } from "./filter-params.ts";

/** A line needs at least this many points. */
const fewest = 3;

/** Views and visitors over time, by hour or by day. */
export function Trend({ visits }: { visits: Visits }) {
  const { series } = visits;
  const previous = usePrevious(visits);
  const times = useMemo(() => series.points.map(({ time }) => Date.parse(time)), [series]);
  const lines = useMemo(() => toLines(series, previous, isIncomplete(visits)), [series, previous]);
  return (
    <Panel
      title="Views and visitors"
      class="visit-trend"
      hint={describeGrain(visits)}
      actions={<FileLink list="days" name="the days" visits={visits} />}
    >
      {times.length < fewest ? (
        <TooShort points={series.points} />
      ) : (
        <TimeChart
          title={series.grain === "hour" ? "Each hour" : "Each day"}
          times={times}
          lines={lines}
          format={formatCount}
          height={210}
          least={4}
        />
      )}
    </Panel>
  );
}

function isIncomplete({ to }: Visits): boolean {
  return Date.parse(to) > Date.now();
}

function describeGrain(visits: Visits): string {
  const { grain } = visits.series;
  const last = isIncomplete(visits) ? `The current ${grain} is incomplete.` : "";
  if (grain === "day") return `By day, in UTC. ${last}`;
  return `${last} Someone active across two hours is counted in both.`;
}

/** The preceding window of the same length, if comparison is enabled. */
function usePrevious({ from, to }: Visits): Series | undefined {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const isOn = isComparing();
  const { data } = useQuery(isOn ? "/_/_/data/visitors" : null, {
    from: start - (end - start),
    to: start,
    ...whoParams(),
  });
  return isOn && data?.enabled ? data.series : undefined;
}

/** The step that is not over yet is a dashed line of its own: it would look like a drop. */
function withDashedEnd(line: ChartLine, isDashed: boolean): ChartLine[] {
  if (!isDashed || line.values.length < 2) return [line];
  const last = line.values.length - 1;
  return [
    { ...line, values: line.values.with(last, null) },
    {
      ...line,
      label: `${line.label}, incomplete`,
      values: line.values.map((value, index) => (index >= last - 1 ? value : null)),
      isDashed: true,
    },
  ];
}

function toLines({ points }: Series, previous: Series | undefined, isOpen: boolean): ChartLine[] {
  const before = points.map((_, index) => previous?.points[index]?.views ?? null);
  const visitors = points.map((point) => point.visitors ?? null);
  return [
    ...withDashedEnd({ label: "Views", colour: "blue", values: points.map(({ views }) => views) }, isOpen),
    ...(visitors.every((value) => value === null)
      ? []
      : withDashedEnd({ label: "Visitors", colour: "teal", values: visitors }, isOpen)),
    ...(previous
      ? [{ label: "Views in the previous period", colour: "grey", values: before, isDashed: true } as const]
      : []),
  ];
}

function TooShort({ points }: { points: Series["points"] }) {
  const hours = points.length === 1 ? "One hour is" : "Two hours are";
  return (
    <div class="stack start">
      <p class="hint">{hours} too short for a chart. Choose a day or more.</p>
      <div class="actions">
        <Button onClick={() => choosePreset("24h")}>Last 24 hours</Button>
        <Button onClick={() => choosePreset("7d")}>Last 7 days</Button>
        <Button onClick={() => choosePreset("30d")}>Last 30 days</Button>
      </div>
    </div>
  );
}
