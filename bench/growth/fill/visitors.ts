import { createGoodRandom } from "../../../src/features/metrics/testing/traffic.ts";
import type { Checkout } from "../checkout.ts";

const browsers = ["Chrome", "Safari", "Firefox", "Edge", "Samsung Internet", "Opera"];
const systems = ["Windows", "macOS", "iOS", "Android", "Linux"];
const devices = ["desktop", "mobile", "tablet"];
const viewsPerVisitor = 3;

/** Closed days, through the packing of days. */
export async function fillVisitors(
  checkout: Checkout,
  { days, perDay, to }: { days: number; perDay: number; to: number },
): Promise<void> {
  const { createDayCounter } = await checkout.load<
    typeof import("../../../src/features/visitors/days/day-counts.ts")
  >("features/visitors/days/day-counts.ts");
  const { packDay } = await checkout.load<typeof import("../../../src/features/visitors/days/packing.ts")>(
    "features/visitors/days/packing.ts",
  );
  const { visitorMigrations } = await checkout.load<
    typeof import("../../../src/features/visitors/tables.ts")
  >("features/visitors/tables.ts");
  const database = await checkout.open("metrics.db");
  await database.migrate([visitorMigrations]);
  const random = createGoodRandom(5);
  const pick = <Value>(list: readonly Value[]) => list[Math.floor(random() * list.length)]!;
  const today = Math.floor(to / 86_400_000);
  for (let day = today - days; day < today; day++) {
    const counter = createDayCounter();
    for (let visitor = 0; visitor < perDay; visitor++) {
      const kind = random() < 0.8 ? "human" : "bot";
      const who = { kind, browser: pick(browsers), os: pick(systems), device: pick(devices) } as const;
      const site = Math.floor(random() * 120);
      const referrer = site < 40 ? "" : `site-${site}.example`;
      const page = () => `/page/${Math.floor(400 * random() ** 3)}`;
      const entry = page();
      const hour = Math.floor(random() * 24);
      const sessions = { visitors: 1, returned: 0, sessions: 1, bounces: random() < 0.4 ? 1 : 0 };
      counter.addVisit({ ...who, referrer, entry, hours: 1 << hour, ...sessions });
      for (let view = 0; view < viewsPerVisitor; view++)
        counter.addView({ ...who, referrer, hour, page: view === 0 ? entry : page(), views: 1 });
    }
    const counts = packDay(counter.compact());
    await database
      .tables<{ annex_visitor_days: { day: number; bytes: number; counts: Uint8Array } }>()
      .insertInto("annex_visitor_days")
      .values({ day, counts, bytes: counts.length })
      .execute();
  }
  await database.close();
}
