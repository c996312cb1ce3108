/** Measures one subject in this process, and prints what it found as JSON. Needs `--expose-gc`. */
import type { BenchJob, Subject } from "./subject.ts";

export interface Measurement {
  readonly registerMs: number;
  readonly megabytes: number;
  readonly timezoneMs: number;
  /** CPU per minute of doing nothing, in milliseconds. */
  readonly idleMsPerMinute: number;
  /** How long after the full minute the runs began, in milliseconds. */
  readonly lagMedianMs: number;
  readonly lagMaxMs: number;
  readonly started: number;
}

const [name = "annex", count = "10000", together = "500", idleSeconds = "10"] = process.argv.slice(2);
const { subject } = (await import(`./subjects/${name}.ts`)) as { subject: Subject };

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const usedMegabytes = async () => {
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc!();
    await pause(20);
  }
  return process.memoryUsage().rss / 1e6;
};
const timed = async (work: () => Promise<void> | void) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** All different, and none due while we measure: at any time of the days that are a week or more away. */
function createJobs(): BenchJob[] {
  const today = new Date().getUTCDate();
  const days = [7, 8, 9, 10, 11, 12, 13].map((away) => ((today + away - 1) % 28) + 1);
  return Array.from({ length: Number(count) }, (_, index) => ({
    id: `job${index}`,
    schedule: `${index % 60} ${Math.floor(index / 60) % 24} ${days[Math.floor(index / 1440) % 7]} * *`,
    run: () => {},
  }));
}

/** Waits for a full minute with jobs that are due at each, and tells how late they began. */
async function measureLag(): Promise<number[]> {
  const lags: number[] = [];
  const begin = Date.now();
  const run = () => void lags.push(Date.now() % 60_000);
  const jobs = Array.from({ length: Number(together) }, (_, index) => ({
    id: `due${index}`,
    schedule: "* * * * *",
    run,
  }));
  // Registered well before the minute, or a part of them would miss it.
  if (begin % 60_000 > 55_000) await pause(60_000 - (begin % 60_000) + 100);
  await subject.register(jobs, "UTC");
  while (lags.length < Number(together) && Date.now() - begin < 130_000) await pause(50);
  return lags.slice(0, Number(together)).sort((a, b) => a - b);
}

const jobs = createJobs();
const before = await usedMegabytes();
const registerMs = await timed(() => subject.register(jobs, "Europe/Berlin"));
const megabytes = (await usedMegabytes()) - before;
const timezoneMs = await timed(() => subject.changeTimezone("America/New_York"));
await pause(500);
const cpu = process.cpuUsage();
await pause(Number(idleSeconds) * 1000);
const { user, system } = process.cpuUsage(cpu);
const lags = await measureLag();
await subject.stop();
const measurement: Measurement = {
  registerMs,
  megabytes,
  timezoneMs,
  idleMsPerMinute: ((user + system) / 1000 / Number(idleSeconds)) * 60,
  lagMedianMs: lags[Math.floor(lags.length / 2)] ?? Number.NaN,
  lagMaxMs: lags.at(-1) ?? Number.NaN,
  started: lags.length,
};
console.log(JSON.stringify(measurement));
process.exit(0);
