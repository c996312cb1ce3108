// API_SOURCE
import type { Handler, VersionedRouter } from "../../../../src/index.ts";
import downloadReport from "./handlers/export-report.ts";
import showReport from "./handlers/get-report.ts";

/** Loads the file of a handler with its first request. */
const lazy =
  (load: () => Promise<{ default: Handler }>): Handler =>
  async (e) => {
    const { default: handler } = await load();
    return handler(e);
  };

export function routes(router: VersionedRouter): void {
  router.get("/reports/{id}", showReport);
  router.get("/reports/{id}/export", downloadReport);
  router.get("/reports/{id}/chart", async (e) => {
    const { drawChart } = await import("./handlers/draw-chart.ts");
    return drawChart(e);
  });
  router.delete(
    "/reports/{id}",
    lazy(() => import("./handlers/delete-report.ts")),
  );
}
