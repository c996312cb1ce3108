/**
 * An instance of the fleet under test. Each job appends a line to a file when its function begins and ends, past Annex
 * and the database. Such a line survives a kill of the process.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { createApp, type ExecutionLogger, type JobOptions } from "../../src/index.ts";
import { blockJob, type ChaosJob, createJobs, everyMinute, isFailing } from "./jobs.ts";
import { monotonicMs, type ProcessRecord, type RecordBody } from "./records.ts";

const {
  CHAOS_FOLDER: folder = ".",
  CHAOS_JOBS: jobCount = "100",
  SVC_INSTANCE: name = "instance",
} = process.env;
const file = join(folder, `${name}-${process.pid}.ndjson`);

function record(body: RecordBody, at = monotonicMs()): void {
  const line: ProcessRecord = { ...body, at, instance: name, pid: process.pid };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** Converts the time of a log record, whose clock may be shifted, to the clock that all processes share. */
const toMonotonic = (time: string) => monotonicMs() - (Date.now() - Date.parse(time));

const output = new PassThrough();
let rest = "";
output.setEncoding("utf8").on("data", (text: string) => {
  process.stdout.write(text);
  const lines = (rest + text).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    if (line.includes("No heartbeat for")) record({ kind: "fenced" }, toMonotonic(JSON.parse(line).time));
    else if (line.includes("The heartbeat is back"))
      record({ kind: "rejoined" }, toMonotonic(JSON.parse(line).time));
  }
});

const app = createApp({ log: { store: false, destination: output, format: "json" } });

function register(
  id: string,
  schedule: string,
  work: (log: ExecutionLogger) => unknown,
  options: JobOptions,
) {
  const run = async (log: ExecutionLogger) => {
    const of = { job: id, run: log.runId, tick: log.scheduledAt.getTime() };
    record({ kind: "begin", ...of });
    try {
      await work(log);
      record({ kind: "end", how: "done", ...of });
    } catch (error) {
      record({ kind: "end", how: log.signal.aborted ? "aborted" : "failed", ...of });
      throw error;
    }
  };
  app.jobs.registerJob(id, id, "", schedule, run, options);
}

function registerWork({ id, overlap, workMs, isFlaky, retries }: ChaosJob): void {
  const work = async ({ signal, runId }: ExecutionLogger) => {
    await delay(workMs, undefined, { signal });
    if (isFlaky && isFailing(runId)) throw new Error("flaky");
  };
  if (retries === undefined) {
    register(id, everyMinute, work, { overlap });
    return;
  }
  const delays = { delayMs: 500, maxDelayMs: 2_000 };
  register(id, everyMinute, work, { overlap, retries: { count: retries, ...delays }, onInterrupt: "retry" });
}

for (const job of createJobs(Number(jobCount))) registerWork(job);
register(
  blockJob,
  "0 0 1 1 *",
  // Blocks the thread without using the processor.
  () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.env.CHAOS_BLOCK_MS)),
  {},
);
app.onServe(({ router }) => {
  router.post("/block", async (e) => e.json(200, { id: (await app.jobs.run(blockJob)).id }));
});
const { url } = await app.start();
process.stderr.write(`listening at ${url}\n`);
