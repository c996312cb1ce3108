import { systemClock } from "../../lib/clock.ts";
import { moduleBeside, startThread } from "../../lib/threads.ts";
import type { Block } from "../sink.ts";
import type { LogRetention } from "./block-writer.ts";
import type { FromWorker, ToWorker, WorkerOptions } from "./worker.ts";

/** The log writer thread, as seen by the main thread. */
export interface WriterThread {
  /** Whether its database is open. Until then, messages are queued. */
  readonly isReady: boolean;
  /** Bytes sent but not yet written. */
  readonly waitingBytes: number;
  /** Reason for a current write failure. */
  readonly problem: string | undefined;
  /** Copies the block's bytes, so the caller can reuse them immediately. */
  append(block: Block): void;
  flush(): Promise<void>;
  retain(retention: LogRetention): void;
  /** Writes pending blocks, for up to `withinMs` if given. */
  close(withinMs?: number): Promise<void>;
}

export function startWriterThread(options: WorkerOptions): WriterThread {
  const entry = moduleBeside(import.meta.url, "worker");
  // Blocks are short-lived. With its default heap size, V8 would let ten times as much garbage accumulate.
  const resourceLimits = { maxYoungGenerationSizeMb: 6 };
  const worker = startThread(entry, { workerData: options, name: "annex-log-writer", resourceLimits });
  worker.unref();
  // Blocks are copied into buffers that are transferred to the thread and back. Allocating new ones would keep two
  // garbage collectors busy.
  const spare: ArrayBuffer[] = [];
  const flushes = new Map<number, () => void>();
  let tickets = 0;
  let waitingBytes = 0;
  let problem: string | undefined;
  let isReady = false;
  let hasEnded = false;
  const tell = (message: ToWorker, transfer: ArrayBuffer[] = []) => worker.postMessage(message, transfer);

  const endFlushes = () => {
    for (const done of flushes.values()) done();
  };

  const ended = new Promise<void>((resolve) => {
    const end = (reason: string | undefined) => {
      hasEnded = true;
      isReady = false;
      problem = reason;
      endFlushes();
      resolve();
    };
    worker.on("message", (message: FromWorker) => {
      if (message.kind === "written") {
        waitingBytes -= message.length;
        if (spare.length < maxSpare) spare.push(message.memory);
        problem = undefined;
      } else if (message.kind === "ready") isReady = true;
      else if (message.kind === "failing") {
        problem = message.reason;
        // Otherwise pending flushes would wait until the database recovers.
        endFlushes();
      } else if (message.kind === "flushed") flushes.get(message.ticket)?.();
      else end(undefined);
    });
    worker.on("error", (error) => end((error as Error).message));
    worker.on("exit", () => end(problem));
  });

  return {
    get isReady() {
      return isReady;
    },
    get waitingBytes() {
      return waitingBytes;
    },
    get problem() {
      return problem;
    },
    append({ bytes, ...block }) {
      const { length } = bytes;
      waitingBytes += length;
      const memory = takeMemory(spare, length);
      new Uint8Array(memory).set(bytes);
      tell({ kind: "block", block, memory, length }, [memory]);
    },
    flush() {
      if (hasEnded || problem !== undefined) return Promise.resolve();
      const ticket = ++tickets;
      worker.ref();
      return new Promise((resolve) => {
        flushes.set(ticket, () => {
          flushes.delete(ticket);
          if (flushes.size === 0) worker.unref();
          resolve();
        });
        tell({ kind: "flush", ticket });
      });
    },
    retain: (retention) => tell({ kind: "retain", retention }),
    async close(withinMs) {
      if (hasEnded) return;
      worker.ref();
      tell({ kind: "close" });
      const late = Promise.withResolvers<void>();
      const callOff = withinMs === undefined ? undefined : systemClock.after(withinMs, late.resolve);
      await Promise.race([ended, late.promise]);
      callOff?.();
      await worker.terminate();
    },
  };
}

const memoryBytes = 524_288;
const maxSpare = 8;

function takeMemory(spare: ArrayBuffer[], length: number): ArrayBuffer {
  return length > memoryBytes ? new ArrayBuffer(length) : (spare.pop() ?? new ArrayBuffer(memoryBytes));
}
