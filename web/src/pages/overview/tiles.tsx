import type { RequestSeries, RequestStats, SystemSeries } from "../../../../src/features/metrics/wire.ts";
import type { Colour } from "../../charts/colours.ts";
import { failedShare } from "../../charts/request-lines.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import {
  formatBytes,
  formatChange,
  formatMs,
  formatPercent,
  formatRate,
  formatWhole,
} from "../../format/numbers.ts";
import { hrefTo } from "../../state/address.ts";
import { liveErrorLimit, liveMetric, liveRate } from "../../state/fleet/members.ts";
import { isCutOff } from "../../state/live.ts";
import { isLive } from "../../state/time-window.ts";
import { meanOf, meanRate, systemLine } from "./stats.ts";

interface TileProps {
  readonly label: string;
  readonly value: string | undefined;
  /** The period of the value: now, or the window. */
  readonly note: string;
  readonly values: readonly (number | null)[];
  readonly colour: Colour;
  readonly change?:
    | { readonly now: number; readonly before: number; readonly isMoreWorse: boolean }
    | undefined;
  /** Link to the list behind the value. */
  readonly href?: string;
  readonly isBad?: boolean;
}

function Tile({ label, value, note, values, colour, change, href, isBad = false }: TileProps) {
  return (
    <li class="tile card stack gap-1">
      <p class="hint medium">
        {href === undefined ? (
          label
        ) : (
          <a class="cover" href={href}>
            {label}
          </a>
        )}
      </p>
      <p class={`tile-value metric ${isBad ? "bad" : ""}`}>{value ?? "–"}</p>
      <p class="tile-note row hint">
        {note}
        {change && <Change {...change} />}
      </p>
      <Sparkline values={values} colour={colour} />
    </li>
  );
}

function Change({ now, before, isMoreWorse }: { now: number; before: number; isMoreWorse: boolean }) {
  const isWorse = isMoreWorse && now > before * 1.2;
  return (
    <span class={isWorse ? "warn" : "quiet"} title="Compared with the previous window of the same length">
      {formatChange(now, before)}
    </span>
  );
}

interface TilesProps {
  readonly requests: RequestSeries | undefined;
  readonly system: SystemSeries | undefined;
}

/** The six key metrics. */
export function Tiles({ requests, system }: TilesProps) {
  return (
    <ul class="columns gap-8" aria-label="Metrics">
      <RequestTiles series={requests} />
      <SystemTile
        label="CPU"
        name="process.cpu_ratio"
        join="sum"
        colour="teal"
        format={formatPercent}
        note="of a core"
        system={system}
      />
      <MemoryTile system={system} />
      <SystemTile
        label="Event loop p99"
        name="loop.delay_p99_ms"
        join="worst"
        colour="violet"
        format={formatMs}
        note="delay"
        system={system}
      />
    </ul>
  );
}

function RequestTiles({ series }: { series: RequestSeries | undefined }) {
  const { totals, previous, points = [], step_ms = 1_000 } = series ?? {};
  const rates = points.map(({ count }) => count / (step_ms / 1_000));
  const compare = (metric: (stats: RequestStats) => number | undefined, isMoreWorse: boolean) => {
    const [now, before] = [totals && metric(totals), previous && metric(previous)];
    if (now === undefined || before === undefined || previous?.count === 0) return undefined;
    return { now, before, isMoreWorse };
  };
  const live = isLive.value ? liveRate.value : undefined;
  const rate = live ?? (series && meanRate(series));
  return (
    <>
      <Tile
        label="Requests"
        value={rate === undefined ? undefined : `${formatRate(rate)} /s`}
        note={live === undefined ? "mean" : nowWord()}
        values={rates}
        colour="blue"
        change={compare(({ count }) => count, false)}
        href={hrefTo("requests")}
      />
      <Tile
        label="Latency p95"
        value={totals?.p95_ms === undefined ? undefined : formatMs(totals.p95_ms)}
        note="in this window"
        values={points.map(({ p95_ms }) => p95_ms ?? null)}
        colour="pink"
        change={compare(({ p95_ms }) => p95_ms, true)}
        href={hrefTo("requests", { tab: "slowest" })}
      />
      <Tile
        label="Errors"
        value={totals && formatPercent(failedShare(totals))}
        note={totals ? `${formatWhole(totals.status_5xx)} of ${formatWhole(totals.count)}` : "in this window"}
        values={points.map(({ status_5xx }) => status_5xx)}
        colour="red"
        change={compare(failedShare, true)}
        href={hrefTo("requests", { q: "status:5xx" })}
        isBad={totals !== undefined && failedShare(totals) >= liveErrorLimit.value}
      />
    </>
  );
}

/** If the connection is lost, the last known value is shown. */
const nowWord = () => (isCutOff.value ? "last seen" : "now");

interface SystemTileProps {
  readonly label: string;
  readonly name: string;
  readonly join: "sum" | "worst";
  readonly colour: Colour;
  readonly note: string;
  readonly system: SystemSeries | undefined;
  format(value: number): string;
}

function SystemTile({ label, name, join, colour, note, system, format }: SystemTileProps) {
  const values = systemLine(system, name, join);
  const now = isLive.value ? liveMetric(name, join) : undefined;
  const value = now ?? meanOf(values);
  return (
    <Tile
      label={label}
      value={value === undefined ? undefined : format(value)}
      note={now === undefined ? note : `${note}, ${nowWord()}`}
      values={values}
      colour={colour}
    />
  );
}

function MemoryTile({ system }: { system: SystemSeries | undefined }) {
  const values = systemLine(system, "process.rss_bytes", "sum");
  const live = (name: string) => (isLive.value ? liveMetric(name, "sum") : undefined);
  const rss = live("process.rss_bytes") ?? meanOf(values);
  const heap =
    live("process.heap_used_bytes") ?? meanOf(systemLine(system, "process.heap_used_bytes", "sum"));
  return (
    <Tile
      label="Memory"
      value={rss === undefined ? undefined : formatBytes(rss)}
      note={heap === undefined ? "RSS" : `heap ${formatBytes(heap)}`}
      values={values}
      colour="amber"
    />
  );
}
