import "./overview.css";
import { param } from "../../state/address.ts";
import { isNarrow } from "../../state/narrow.ts";
import { useQuery } from "../../state/query.ts";
import { useRequestSeries, useSystemSeries } from "../../state/series.ts";
import { calmWindow, timeWindow } from "../../state/time-window.ts";
import { Problem } from "../../ui/feedback/notice.tsx";
import { Attention } from "./attention.tsx";
import { Charts } from "./charts.tsx";
import { Fleet } from "./fleet.tsx";
import { HealthStatus } from "./health-status.tsx";
import { Stalls } from "./stalls.tsx";
import { SystemStrip } from "./system-strip.tsx";
import { Tiles } from "./tiles.tsx";
import { WorstRoutes } from "./worst-routes.tsx";

const systemNames = [
  "cpu.ratio",
  "process.cpu_ratio",
  "process.rss_bytes",
  "process.heap_used_bytes",
  "loop.delay_p99_ms",
].join();

/** Health status, key metrics, and what needs attention. */
export function Overview() {
  const instance = param("instance");
  const params = { ...timeWindow.value, instance, points: 180 };
  const requests = useRequestSeries({ ...params, compare: "true", smooth: "true" });
  const system = useSystemSeries({ ...params, names: systemNames });
  const routes = useQuery("/_/_/data/routes", { ...calmWindow.value, instance });
  const stalls = useQuery("/_/_/data/stalls", { ...calmWindow.value, instance, limit: 500 });
  return (
    <>
      <h1 class="visually-hidden">Overview</h1>
      <HealthStatus requests={requests.data} />
      {requests.error && <Problem error={requests.error} retry={requests.reload} />}
      <Tiles requests={requests.data} system={system.data} />
      {/* On a phone, the charts would push it far down. */}
      {isNarrow.value && <Attention />}
      <Charts requests={requests.data} system={system.data} stalls={stalls.data?.stalls ?? []} />
      <Stalls list={stalls.data} />
      <div class="grid">
        <WorstRoutes query={routes} />
        {!isNarrow.value && <Attention />}
      </div>
      <Fleet />
      <SystemStrip />
    </>
  );
}
