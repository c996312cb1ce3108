import "./overview.css";
import { useQuery } from "../../state/query.ts";
import { windowParams } from "../../state/time-window.ts";
import { Problem } from "../../ui/feedback/notice.tsx";
import { Attention } from "./attention.tsx";
import { Charts } from "./charts.tsx";
import { HealthStatus } from "./health-status.tsx";
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
  const params = windowParams.value;
  const requests = useQuery("/_/_/data/requests", { ...params, points: 180, compare: "true" });
  const system = useQuery("/_/_/data/system", { ...params, points: 180, names: systemNames });
  const routes = useQuery("/_/_/data/routes", params);
  return (
    <>
      <h1 class="visually-hidden">Overview</h1>
      <HealthStatus requests={requests.data} />
      {requests.error && <Problem error={requests.error} retry={requests.reload} />}
      <Tiles requests={requests.data} system={system.data} />
      <Charts requests={requests.data} system={system.data} />
      <div class="grid">
        <WorstRoutes query={routes} />
        <Attention />
      </div>
      <SystemStrip />
    </>
  );
}
