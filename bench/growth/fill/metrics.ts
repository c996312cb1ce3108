import type { Kysely } from "kysely";
import type { Slot } from "../../../src/features/metrics/history/slot.ts";
import { createGoodRandom } from "../../../src/features/metrics/testing/traffic.ts";
import type { Checkout } from "../checkout.ts";

export const routes = 200;
const perSecond = 20;
/** As many as a Linux server with four network interfaces has. A third of them never changes. */
const gauges = Array.from({ length: 60 }, (_, index) => `metric.${index}`);
const day = 86_400;

export interface MetricsFill {
  /** Days of minutes. */
  readonly minuteDays: number;
  /** Days of hours, and of days. */
  readonly hourDays: number;
  readonly to: number;
  /** Whether an hour of seconds and a day of ten seconds are there as well. */
  readonly withLive?: boolean;
}

/** What 200 routes with 20 requests per second leave behind, through the codec of the history. */
export async function fillMetrics(
  checkout: Checkout,
  { minuteDays, hourDays, to, withLive = true }: MetricsFill,
): Promise<void> {
  const load = checkout.load;
  const { Slot } = await load<typeof import("../../../src/features/metrics/history/slot.ts")>(
    "features/metrics/history/slot.ts",
  );
  const slotStore = await load<typeof import("../../../src/features/metrics/history/slot-store.ts")>(
    "features/metrics/history/slot-store.ts",
  );
  const { createNames } = await load<typeof import("../../../src/features/metrics/history/names.ts")>(
    "features/metrics/history/names.ts",
  );
  const { mergeRow } = await load<typeof import("../../../src/features/metrics/history/compaction.ts")>(
    "features/metrics/history/compaction.ts",
  );
  const { metricMigrations } = await load<typeof import("../../../src/features/metrics/history/tables.ts")>(
    "features/metrics/history/tables.ts",
  );
  // Earlier checkouts have no blocks.
  const loadOptional = <Module>(path: string) => load<Module>(path).catch(() => undefined);
  const codec = await loadOptional<
    typeof import("../../../src/features/metrics/history/blocks/block-codec.ts")
  >("features/metrics/history/blocks/block-codec.ts");
  const plain = await loadOptional<
    typeof import("../../../src/features/metrics/history/blocks/single-slots.ts")
  >("features/metrics/history/blocks/single-slots.ts");
  const traffic = await load<typeof import("../../../src/features/metrics/testing/traffic.ts")>(
    "features/metrics/testing/traffic.ts",
  );
  const database = await checkout.open("metrics.db");
  await database.migrate([metricMigrations]);
  const names = createNames(database);
  const all = Array.from({ length: routes }, (_, index) => `GET /api/v1/things-${index}/{id}`);
  await names.assignIds([...all, ...gauges]);
  type Row = ReturnType<typeof slotStore.toRow>;
  // Earlier checkouts write several rows per slot.
  const toRows = (slot: Slot): Row[] => {
    const { toRows: several } = slotStore as unknown as { toRows?: (...args: unknown[]) => Row[] };
    return several ? several(slot, "web-1", names) : [slotStore.toRow(slot, "web-1", names)];
  };

  const insert = async (into: Kysely<{ annex_metric_slots: Row }>, values: Row[]) => {
    if (values.length > 0) await into.insertInto("annex_metric_slots").values(values).execute();
  };

  function createSlot(level: 1 | 10 | 60, seed: number): Slot {
    const random = createGoodRandom(seed * 7);
    const duration = traffic.createDuration(random);
    const slot = new Slot(level, 0, "bench");
    const harmonic = all.reduce((sum, _, index) => sum + 1 / (index + 1), 0);
    for (const [index, name] of all.entries()) {
      const mean = (level * perSecond) / (index + 1) / harmonic;
      const count = Math.floor(mean) + (random() < mean % 1 ? 1 : 0);
      for (let left = count; left > 0; left--) {
        slot.statsOf(name).add(
          traffic.finishedRequest({
            durationMs: duration() * (0.3 + index / 40),
            statusCode: random() < 0.02 ? 404 : 200,
            bytesSent: 300 + Math.floor(random() * 900),
          }),
        );
      }
    }
    slot.samples = level;
    for (const [index, name] of gauges.entries()) {
      const mean = index < 18 ? 0 : index < 25 ? 1e9 + index : random() * 1e6;
      slot.gaugeOf(name).add(mean, index < 25 ? mean : mean * (1 + random()), level);
    }
    slot.slowest.merge(
      Array.from({ length: Math.min(10, level * perSecond) }, (_, index) => ({
        time: to * 1_000 - Math.floor(random() * 60_000),
        traceId: Array.from({ length: 18 }, () => Math.floor(random() * 36).toString(36)).join(""),
        method: "GET",
        path: `/api/v1/things-${index * 19}/${Math.floor(random() * 1e6)}`,
        route: `/api/v1/things-${index * 19}/{id}`,
        statusCode: 200,
        durationMs: Math.round(1e6 - index * 3e4 + random() * 1e4) / 1_000,
      })),
    );
    return slot;
  }

  async function put(level: Row["level"], from: number, until: number, rowsAt: (time: number) => Row[]) {
    for (let time = from - (from % level); time < until; )
      await database.transaction<{ annex_metric_slots: Row }, void>(async (trx) => {
        for (let left = 300; left > 0 && time < until; left--, time += level)
          await insert(
            trx,
            rowsAt(time).map((row) => ({ ...row, level, time })),
          );
      });
  }

  /** Slots until a time are in blocks, except in earlier checkouts. */
  async function putBlocks(
    level: Row["level"],
    span: number,
    { from, until, to: end }: { from: number; until: number; to: number },
    rows: readonly Row[][],
  ) {
    const rowsAt = (time: number) => rows[(time / level) % rows.length]!;
    if (!codec || !plain) return await put(level, from, end, rowsAt);
    const ofOne = Array.from({ length: span / level }, (_, index) =>
      rowsAt(index * level).map((row) => ({ ...row, level, time: index * level })),
    );
    const block = codec.encodeBlock(plain.toPlainSlots(ofOne.flat()));
    for (let time = from - (from % span); time < until; time += span)
      await insert(
        database.tables<{ annex_metric_slots: Row }>(),
        block.map((row) => ({ ...row, time })),
      );
    await put(level, until, end, rowsAt);
  }

  const several = (level: 1 | 10 | 60, count: number) =>
    Array.from({ length: count }, (_, seed) => toRows(createSlot(level, seed + 1)));
  const minutes = several(60, 60);
  const known = await names.all();
  const hours = Array.from({ length: 24 }, (_, index) => {
    const hour = new Slot(3_600, 0, "");
    for (let minute = 0; minute < 60; minute++)
      for (const row of toRows(createSlot(60, index * 60 + minute + 1))) mergeRow(hour, row, known);
    return toRows(hour);
  });
  const whole = new Slot(day, 0, "");
  for (const rows of hours) for (const row of rows) mergeRow(whole, row, known);
  const dayRows = toRows(whole);
  const hourEnd = to - (to % 3_600);
  const dayEnd = to - (to % day);
  if (withLive) {
    const seconds = several(1, 30);
    await put(1, to - 3_600, to, (time) => seconds[time % seconds.length]!);
    await putBlocks(10, 600, { from: to - day, until: hourEnd, to }, several(10, 360));
  }
  const minuteEnds = { from: to - minuteDays * day + 60, until: hourEnd, to: to - (to % 60) };
  await putBlocks(60, 3_600, minuteEnds, minutes);
  const hourEnds = { from: dayEnd - hourDays * day, until: dayEnd, to: hourEnd };
  await putBlocks(3_600, day, hourEnds, hours);
  await put(day, dayEnd - hourDays * day, dayEnd, () => dayRows);
  type Marks = { annex_metric_marks: { level: number; until: number } };
  const marks = database.tables<Marks>().updateTable("annex_metric_marks");
  await marks.set({ until: hourEnd }).where("level", "=", 3_600).execute();
  await marks.set({ until: dayEnd }).where("level", "=", day).execute();
  await database.close();
}
