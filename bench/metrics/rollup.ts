import {
  createDuration,
  createGoodRandom,
  finishedRequest,
  routeNamed,
  secondOf,
} from "../../src/features/metrics/testing/traffic.ts";
import { FakeClock } from "../../src/lib/testing/fake-clock.ts";
import type { Checkout } from "../growth/checkout.ts";

/** CPU time. */
export interface Rollup {
  readonly writingMs: number;
  readonly maintenanceMs: number;
}

const hour = 3_600;
const start = Date.parse("2026-11-15T12:00:00Z") / 1_000;

/** Records an hour second by second, and merges it. */
export async function rollUpHour(checkout: Checkout): Promise<Rollup> {
  const { History } = await checkout.load<typeof import("../../src/features/metrics/history/history.ts")>(
    "features/metrics/history/history.ts",
  );
  const { metricMigrations } = await checkout.load<
    typeof import("../../src/features/metrics/history/tables.ts")
  >("features/metrics/history/tables.ts");
  await using database = await checkout.open("metrics.db");
  await database.migrate([metricMigrations]);
  const clock = new FakeClock(start * 1_000);
  const history = new History({
    database,
    clock,
    instance: "web-1",
    description: {},
    maxBytes: Number.POSITIVE_INFINITY,
    report: (problem) => problem && console.error(problem),
  });
  const createSecond = createTraffic();
  let writingMs = 0;
  for (let time = start; time < start + hour; time++) {
    const second = createSecond(time);
    writingMs += await measure(async () => {
      history.record(second, []);
      await history.flush();
    });
    clock.advance(1_000);
  }
  clock.advance(300_000);
  await history.flush();
  const maintenanceMs = await measure(() => history.maintain());
  await history.close();
  return { writingMs: Math.round(writingMs), maintenanceMs: Math.round(maintenanceMs) };
}

/** 20 requests to 200 routes, of which few have most of the requests, and 60 metrics of the system. */
function createTraffic() {
  const random = createGoodRandom(5);
  const duration = createDuration(random);
  const createRequest = () =>
    finishedRequest({
      route: routeNamed(Math.min(200, Math.floor(1 / (random() + 0.005)))),
      durationMs: duration(),
      bytesSent: Math.floor(random() * 900),
    });
  return (time: number) => {
    const gauges = Array.from({ length: 60 }, (_, index) => [
      `metric.${index}`,
      index < 18 ? 0 : random() * 1e6,
    ]);
    return secondOf(time, Array.from({ length: 20 }, createRequest), Object.fromEntries(gauges));
  };
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
