import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../lib/clock.ts";
import { type DatabaseOptions, markDamaged, openDatabase } from "../../storage/index.ts";
import type { Block } from "../sink.ts";
import { createBlockWriter, type LogRetention } from "./block-writer.ts";
import { createBlockTable } from "./blocks.ts";

/**
 * The thread that writes log blocks, with its own database connection. SQLite inserts wait for the disk and would block
 * requests on the main thread.
 */

export interface WorkerOptions {
  database: DatabaseOptions;
  retention: LogRetention;
}

export type ToWorker =
  | { kind: "block"; block: Omit<Block, "bytes">; memory: ArrayBuffer; length: number }
  | { kind: "flush"; ticket: number }
  | { kind: "retain"; retention: LogRetention }
  | { kind: "close" };

export type FromWorker =
  | { kind: "ready" }
  | { kind: "written"; memory: ArrayBuffer; length: number }
  | { kind: "failing"; reason: string }
  | { kind: "flushed"; ticket: number }
  | { kind: "closed" };

const retryMs = 1_000;
const purgeEveryMs = 60_000;

const port = parentPort!;
const { database: options, retention } = workerData as WorkerOptions;
const tell = (message: FromWorker) => port.postMessage(message);

const database = await openDatabase(options);
const writer = createBlockWriter(createBlockTable(database), systemClock, retention);
const purge = () => writer.purge().catch(reportFailure);
const purgeTimer = setInterval(() => enqueue(purge), purgeEveryMs);

function reportFailure(error: unknown): void {
  if (database.problem?.reason === "damaged") markDamaged(options);
  tell({ kind: "failing", reason: (error as Error).message });
}

let closing = false;
let work: Promise<unknown> = Promise.resolve();

/** Runs tasks one at a time, in the order they were received. */
function enqueue(task: () => Promise<unknown>): void {
  work = work.then(task);
}

async function append({ block, memory, length }: Extract<ToWorker, { kind: "block" }>): Promise<void> {
  const whole = { ...block, bytes: Buffer.from(memory, 0, length) };
  for (;;) {
    try {
      await writer.append(whole);
      // Returns the memory for reuse.
      port.postMessage({ kind: "written", memory, length } satisfies FromWorker, [memory]);
      return;
    } catch (error) {
      reportFailure(error);
      if (closing) return;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

port.on("message", (message: ToWorker) => {
  if (message.kind === "block") enqueue(() => append(message));
  else if (message.kind === "flush") enqueue(async () => tell({ kind: "flushed", ticket: message.ticket }));
  else if (message.kind === "retain") Object.assign(retention, message.retention);
  else {
    closing = true;
    clearInterval(purgeTimer);
    enqueue(async () => {
      await database.close();
      tell({ kind: "closed" });
      port.close();
    });
  }
});
tell({ kind: "ready" });
enqueue(purge);
