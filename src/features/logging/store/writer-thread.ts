import { startWorker } from "../../../lib/worker/start-worker.ts";
import { moduleBeside } from "../../../lib/worker/threads.ts";
import type { Block } from "../output/sink.ts";
import type { LimitState, LogRetention } from "./block-writer.ts";
import type { LogWriter, WriterOptions } from "./writer-service.ts";

/** The log writer thread, as seen by the main thread. It restarts when it ends or hangs. */
export interface WriterThread {
  /** Whether its database is open. */
  readonly isReady: boolean;
  /** Bytes sent but not yet written. */
  readonly waitingBytes: number;
  /** Reason why records currently cannot be written. */
  readonly problem: string | undefined;
  /** Records that the thread did not write. */
  readonly lost: number;
  /** Copies the block's bytes, so the caller can reuse them immediately. */
  append(block: Block): void;
  /** Resolves when all blocks have been written, cannot be written, or after a time limit. */
  flush(): Promise<void>;
  retain(retention: LogRetention): void;
  /** Rejects while the thread does not run. */
  limitState(): Promise<LimitState>;
  /** Writes pending blocks, for up to `withinMs`. */
  close(withinMs?: number): Promise<void>;
}

export interface WriterThreadOptions extends WriterOptions {
  /** Called each time a thread is ready. */
  onReady?(): void;
}

// Blocks are short-lived. With its default heap size, V8 would let ten times as much garbage accumulate.
const resourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 256 };

/** SQLite may block the thread for ten seconds while it waits for another writer. */
const deadlines = { startMs: 60_000, callMs: 15_000, hangMs: 30_000, closeMs: 20_000 };

export function startWriterThread({
  database,
  retention,
  instance,
  onReady,
}: WriterThreadOptions): WriterThread {
  const worker = startWorker<LogWriter>({
    entry: moduleBeside(import.meta.url, "worker"),
    name: "annex-log-writer",
    data: { database, retention, instance },
    handlers: {},
    resourceLimits,
    restartMs: 1_000,
    deadlines,
    onStatus: ({ state }) => state === "running" && onReady?.(),
  });
  // Blocks are copied into buffers that are transferred to the thread and back. Allocating new ones would keep two
  // garbage collectors busy.
  const spare: ArrayBuffer[] = [];
  const reuse = (memory: ArrayBuffer) => {
    if (spare.length < maxSpare) spare.push(memory);
  };

  return {
    get isReady() {
      return worker.status().state === "running";
    },
    get waitingBytes() {
      return worker.status().pendingBytes;
    },
    get problem() {
      return worker.status().problem;
    },
    get lost() {
      return worker.status().lost;
    },
    append({ bytes, ...block }) {
      const { length } = bytes;
      const memory = takeMemory(spare, length);
      new Uint8Array(memory).set(bytes);
      const { count } = block;
      worker.post("write", [block, memory, length], {
        transfer: [memory],
        bytes: length,
        count,
        onDone: reuse,
      });
    },
    async flush() {
      try {
        await worker.call("flush");
      } catch {
        // The status has the reason. A search continues with the records that are stored.
      }
    },
    // A thread that starts later has the current retention in its data.
    retain: (changed) => worker.post("retain", [changed], { count: 0 }),
    limitState: () => worker.call("limitState"),
    close: worker.close,
  };
}

const memoryBytes = 524_288;
const maxSpare = 8;

function takeMemory(spare: ArrayBuffer[], length: number): ArrayBuffer {
  return length > memoryBytes ? new ArrayBuffer(length) : (spare.pop() ?? new ArrayBuffer(memoryBytes));
}
