import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { CurrentState } from "../../../../../src/features/metrics/wire.ts";
import type { DroppedKind } from "../../../../../src/features/settings/wire.ts";
import { formatBytes, formatCount, formatMs, formatNumber } from "../../../format/numbers.ts";
import { Problem } from "../../../ui/feedback/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { DroppedData } from "./dropped-data.tsx";

/** The resources that Annex itself uses, and the data it had to drop. */
export function Overhead({ now, kinds }: { now: CurrentState; kinds: readonly DroppedKind[] }) {
  const { cost, store, instance } = now;
  const { share, since } = useCollecting(now);
  const rows = store?.levels.reduce((sum, level) => sum + level.rows, 0);
  return (
    <Panel title="Annex overhead" hint={`On ${instance}, in addition to the application's own work`}>
      {cost.problem !== undefined && (
        <Problem error={new Error(`Metrics cannot be stored: ${cost.problem}`)} />
      )}
      <dl class="grid narrow">
        <Metric name="Collecting" value={shareLabel(share)} unit="of a core">
          {formatMs(share * 1_000)} of each second, {since}
        </Metric>
        {store && rows !== undefined && (
          <>
            <Metric name="Metric rows" value={formatCount(rows)}>
              {store.levels.length} {store.levels.length === 1 ? "resolution" : "resolutions"}
            </Metric>
            <Metric name="Size of metrics" value={formatBytes(store.bytes)}>
              of {formatBytes(store.max_bytes)} at most
            </Metric>
          </>
        )}
        <Metric name="Live connections" value={formatCount(cost.watchers)}>
          {cost.watchers === 1 ? "browser reads" : "browsers read"} the live stream
        </Metric>
      </dl>
      {!store && <p class="hint">The metrics store does not respond, so its size is unknown.</p>}
      <DroppedData kinds={kinds} counts={{ ...cost.dropped, ...(store && storeDropped(store)) }} />
    </Panel>
  );
}

function storeDropped({
  dropped,
  dropped_errors,
}: NonNullable<CurrentState["store"]>): Record<string, number> {
  return { slots: dropped, stored_errors: dropped_errors };
}

interface MetricProps {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
  readonly children: ComponentChildren;
}

function Metric({ name, value, unit, children }: MetricProps) {
  return (
    <div>
      <dt class="hint medium">{name}</dt>
      <dd>
        <span class="metric">{value}</span> {unit}
        <span class="hint stack">{children}</span>
      </dd>
    </div>
  );
}

/** More digits than other percentages, because the values are small. */
function shareLabel(share: number): string {
  return `${formatNumber(share * 100)} %`;
}

interface Reading {
  readonly now: number;
  readonly ms: number;
}

/** The share of a core between the last two readings, or since startup if there is only one reading. */
function useCollecting({ now, cost, health }: CurrentState): { share: number; since: string } {
  const readings = useRef<readonly Reading[]>([]);
  const last = readings.current.at(-1);
  // After a restart, the counter starts again from zero.
  if (last === undefined || cost.collecting_ms < last.ms)
    readings.current = [{ now, ms: cost.collecting_ms }];
  else if (now > last.now) readings.current = [last, { now, ms: cost.collecting_ms }];
  const [before, after] = readings.current;
  if (before === undefined || after === undefined)
    return {
      share: cost.collecting_ms / Math.max(1, health.uptime_seconds * 1_000),
      since: "on average since startup",
    };
  const seconds = Math.round((after.now - before.now) / 1_000);
  return { share: (after.ms - before.ms) / (after.now - before.now), since: `over the last ${seconds} s` };
}
