import { createGoodRandom } from "../../../src/features/metrics/testing/traffic.ts";
import type { Checkout } from "../checkout.ts";

/** A word in the oldest record, which a search has to find. */
export const rareWord = "zebra-oldest";
const blockBytes = 65_536;

/** Request records and a few others, evenly over a period, through the writer of the log. */
export async function fillLogs(
  checkout: Checkout,
  { records, from, to }: { records: number; from: number; to: number },
): Promise<{ trace: string }> {
  const { createBlockWriter } = await checkout.load<
    typeof import("../../../src/features/logging/store/block-writer.ts")
  >("features/logging/store/block-writer.ts");
  const { createBlockTable, logMigrations } = await checkout.load<
    typeof import("../../../src/features/logging/store/blocks.ts")
  >("features/logging/store/blocks.ts");
  const { createTraceId } = await checkout.load<typeof import("../../../src/lib/ids.ts")>("lib/ids.ts");
  const database = await checkout.open("logs.db");
  await database.migrate([logMigrations]);
  const retention = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
  const writer = createBlockWriter(createBlockTable(database), { now: () => from }, retention, "web-1");
  const random = createGoodRandom(7);
  const oldest = createTraceId();
  const step = (to - from) / records;
  let lines: string[] = [];
  let [size, firstTime] = [0, from];
  let maxLevel = -4;
  for (let index = 0; index < records; index++) {
    const time = Math.floor(from + index * step);
    const { line, level } = createRecord(random, time, index === 20 ? oldest : createTraceId(), index === 20);
    if (lines.length === 0) firstTime = time;
    lines.push(line);
    size += line.length;
    maxLevel = Math.max(maxLevel, level);
    if (size < blockBytes && index < records - 1) continue;
    const bytes = Buffer.from(lines.join(""));
    await writer.append({ bytes, count: lines.length, firstTime, lastTime: time, maxLevel });
    lines = [];
    size = 0;
    maxLevel = -4;
  }
  await database.close();
  return { trace: oldest };
}

function createRecord(random: () => number, time: number, trace: string, isRare: boolean) {
  const shared = { time: new Date(time).toISOString(), trace_id: trace };
  const dice = random();
  const body = isRare
    ? { level: "INFO", ...shared, event: "log", word: rareWord, msg: "Paid" }
    : dice < 0.97
      ? {
          ...shared,
          level: "DEBUG",
          msg: "Request processed",
          event: "http_request",
          group: "request",
          method: dice < 0.8 ? "GET" : "POST",
          path: `/api/v1/things-${Math.floor(200 * random() ** 2)}/${Math.floor(random() * 1e6)}`,
          status: dice < 0.96 ? "200 OK" : "500 Internal Server Error",
          duration: `${(random() * 20).toFixed(2)}ms`,
          ip: `203.0.${Math.floor(random() * 20)}.${Math.floor(random() * 250)}`,
          user_agent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/${100 + Math.floor(random() * 40)}.0.${Math.floor(random() * 300)}`,
        }
      : { level: "INFO", ...shared, event: "log", order: Math.floor(random() * 1e7), msg: "Paid" };
  return { line: `${JSON.stringify(body)}\n`, level: isRare || dice >= 0.97 ? 0 : -4 };
}
