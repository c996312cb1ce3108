// API_SOURCE
import type { RequestEvent } from "../../../../../src/index.ts";
import { loadReport } from "../reports.ts";

interface Point {
  x: number;
  y: number;
}

export async function drawChart(e: RequestEvent<"id">) {
  const width = Number(e.query("width") ?? "640");
  if (!Number.isInteger(width) || width < 100 || width > 2000) {
    throw e.error(400, "A chart is 100 to 2000 pixels wide.");
  }
  const { title, values } = await loadReport(e.pathValue("id"));
  const step = width / Math.max(values.length - 1, 1);
  const points: Point[] = values.map((y, index) => ({ x: index * step, y }));
  return e.json(200, { title, points });
}
