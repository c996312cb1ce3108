import { useMemo } from "preact/hooks";
import type { LogVolume } from "../../../../src/features/logging/wire.ts";
import type { ChartLine } from "../../charts/chart.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { formatCount, formatStep } from "../../format/numbers.ts";
import { formatMoment } from "../../format/times.ts";
import { isAboutLevelsOnly, toSearchParams } from "../../query-bar/params.ts";
import { type Level, levels, type RecordFilter } from "../../query-bar/parse.ts";
import { type Query, useQuery } from "../../state/query.ts";
import { timeWindow } from "../../state/time-window.ts";
import { Problem } from "../../ui/feedback/notice.tsx";

export function totalOf({ points }: LogVolume, level: Level): number {
  return points.reduce((sum, point) => sum + point[level], 0);
}

/** Filters other than levels require reading records, so the volume is reloaded less often. */
const searchStepMs = 15_000;

/** The number of records of each level, including levels that are not selected. */
export function useVolume(filter: RecordFilter | null): Query<LogVolume> {
  const { from, to } = timeWindow.value;
  const { levels: _, ...others } = filter ?? { where: [], not: [] };
  const step = isAboutLevelsOnly(others) ? 1 : searchStepMs;
  const round = (time: number) => Math.ceil(time / step) * step;
  const search = toSearchParams(others);
  return useQuery(
    filter === null ? null : "/_/_/data/logs/volume",
    { ...search, from: round(from), to: round(to), points: 120 },
    { key: JSON.stringify(search) },
  );
}

const colours = { debug: "grey", info: "blue", warn: "amber", error: "red" } as const;
const labels = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const;

/** Sums per hour do not know the share of each record. Bars count the same records as the list below them. */
function hintOf(volume: LogVolume | undefined, isSampled: boolean): string | undefined {
  const parts = [
    isSampled && "stored records only: requests that were not logged are not counted",
    volume?.complete === false &&
      volume.reached !== undefined &&
      `counted back to ${formatMoment(volume.reached)}; choose a smaller window to see all`,
  ];
  return parts.filter(Boolean).join("; ") || undefined;
}

interface VolumeChartProps {
  readonly query: Query<LogVolume>;
  readonly chosen: readonly Level[] | undefined;
  /** Whether only a share of the requests is logged. */
  readonly isSampled: boolean;
}

export function VolumeChart({ query, chosen, isSampled }: VolumeChartProps) {
  const { data } = query;
  const shown = chosen?.join() ?? "";
  const times = useMemo(() => data?.points.map(({ time }) => time) ?? [], [data]);
  const lines = useMemo(
    () =>
      levels
        .filter((level) => shown === "" || shown.includes(level))
        .map(
          (level): ChartLine => ({
            label: labels[level],
            colour: colours[level],
            values: data?.points.map((point) => point[level]) ?? [],
          }),
        ),
    [data, shown],
  );
  return (
    <section class="panel" aria-label="Over time">
      {query.error && <Problem error={query.error} retry={query.reload} />}
      <TimeChart
        title={data ? `Records per ${formatStep(data.step_ms)}` : "Records"}
        hint={hintOf(data, isSampled)}
        times={times}
        lines={lines}
        format={formatCount}
        height={120}
        isStacked
      />
    </section>
  );
}
