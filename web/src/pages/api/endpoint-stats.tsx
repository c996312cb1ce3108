import type { RouteStats } from "../../../../src/features/metrics/wire.ts";
import type { EndpointListProps } from "../../explorer/endpoints/endpoint-list.tsx";
import { formatCount, formatMs, formatPercent } from "../../format/numbers.ts";
import { type StatsByRoute, share } from "./route-stats.ts";

/** The current metrics of each operation, as columns of the list. */
export function statsColumns(stats: StatsByRoute | undefined): NonNullable<EndpointListProps["columns"]> {
  return {
    heads: (
      <div class="endpoint-heads small medium quiet" aria-hidden="true">
        <span>Calls</span>
        <span>p95</span>
        <span>Errors</span>
      </div>
    ),
    cells: ({ route }) => <Stats stats={stats?.get(route)} />,
  };
}

function NoCalls() {
  return (
    <span class="endpoint-stats quiet" title="No calls in this window">
      –<span class="visually-hidden">no calls</span>
    </span>
  );
}

function Stats({ stats }: { stats: RouteStats | undefined }) {
  if (!stats || stats.count === 0) return <NoCalls />;
  const { count, p95_ms, status_5xx } = stats;
  return (
    <span class="endpoint-stats">
      <span>
        {formatCount(count)} <span class="stat-name">{count === 1 ? "call" : "calls"}</span>
      </span>
      <span>
        <span class="stat-name">p95</span> {p95_ms === undefined ? "–" : formatMs(p95_ms)}
      </span>
      <span class={status_5xx > 0 ? "bad" : "quiet"}>
        {formatPercent(share(status_5xx, count))} <span class="stat-name">errors</span>
      </span>
    </span>
  );
}
