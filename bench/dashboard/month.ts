import { createNames } from "../../src/features/metrics/history/names.ts";
import { Slot } from "../../src/features/metrics/history/slot.ts";
import { toRow } from "../../src/features/metrics/history/slot-store.ts";
import type { MetricTables } from "../../src/features/metrics/history/tables.ts";
import { createDuration, createRandom, finishedRequest } from "../../src/features/metrics/testing/traffic.ts";
import type { Database } from "../../src/storage/index.ts";

/** Different minutes that take turns: making each anew would take an hour. Not 60, so that hours differ. */
const variants = 97;
const systemMetrics = Array.from({ length: 60 }, (_, index) => `metric.${index}`);

/** Writes a month of minutes as a busy server would have left them; tells how many requests that was. */
export async function writeMonth(
  database: Database,
  { now, days, routes }: { now: number; days: number; routes: number },
): Promise<number> {
  const names = createNames(database);
  const minutes = Array.from({ length: variants }, (_, seed) => createMinute(seed + 1, routes));
  await names.assignIds([...minutes[0]!.requests.keys(), ...systemMetrics]);
  const rows = minutes.map((minute) => [toRow(minute, "bench", names)]);
  const counts = minutes.map(({ requests }) =>
    [...requests.values()].reduce((sum, { count }) => sum + count, 0),
  );
  let total = 0;
  const first = now - days * 86_400;
  for (let time = first, index = 0; time < now; ) {
    await database.transaction<MetricTables, void>(async (trx) => {
      for (let left = 500; left > 0 && time < now; left--, time += 60, index++) {
        const values = rows[index % variants]!.map((row) => ({ ...row, time }));
        await trx.insertInto("annex_metric_slots").values(values).execute();
        total += counts[index % variants]!;
      }
    });
  }
  return total;
}

/** A few routes have most of the requests, as everywhere: 3,000 in a minute for the first, 15 for the last. */
function createMinute(seed: number, routes: number): Slot {
  const random = createRandom(seed * 7);
  const duration = createDuration(random);
  const slot = new Slot(60, 0, "bench");
  for (let route = 1; route <= routes; route++) {
    const stats = slot.statsOf(`GET /things/${route}`);
    const slowness = 0.3 + random() * 5;
    for (let left = Math.ceil(3_000 / route); left > 0; left--) {
      stats.add(
        finishedRequest({
          durationMs: duration() * slowness,
          statusCode: random() < 0.02 ? 404 : 200,
          bytesSent: 900,
        }),
      );
    }
  }
  slot.samples = 60;
  for (const name of systemMetrics) slot.gaugeOf(name).add(random() * 1e6, random() * 2e6, 60);
  slot.slowest.merge(
    Array.from({ length: 10 }, (_, index) => ({
      time: 0,
      traceId: "abcdefghijklmnopqr",
      method: "GET",
      path: `/things/${index}`,
      route: "/things/{id}",
      statusCode: 200,
      durationMs: 1_000 - index,
    })),
  );
  return slot;
}
