import type { WorkerContract } from "../../../../lib/worker/contract.ts";
import { startWorker, type WorkerClient } from "../../../../lib/worker/start-worker.ts";
import { moduleBeside } from "../../../../lib/worker/threads.ts";
import { threadLimits } from "../thread-limits.ts";
import type { TypeEngineOptions, TypeQuery, TypeResults } from "./query.ts";

/** What the analysis and the thread of the compiler exchange. Each call blocks that thread. */
export interface EngineWorker extends WorkerContract {
  readonly data: TypeEngineOptions;
  readonly calls: {
    ask(queries: readonly TypeQuery[]): TypeResults;
    conceal(secrets: readonly string[]): void;
    refresh(changed: readonly string[]): void;
  };
  readonly ownerCalls: {
    /** The compiler's process has started. */
    spawned(pid: number | undefined): void;
  };
}

/**
 * A compiler in a thread of its own. The one that reads the source does not wait for it, and all memory that was needed
 * for types is free when it is closed.
 */
export class ThreadEngine {
  private readonly worker: WorkerClient<EngineWorker["calls"]>;
  /** The ID of the compiler's process. A thread that waits for it receives no messages, so the process is killed from here. */
  private pid: number | undefined;
  /** Rejects when the compiler is closed: the thread itself would report that its compiler was killed. */
  private readonly closed = Promise.withResolvers<never>();
  private isClosed = false;

  constructor(options: TypeEngineOptions) {
    this.closed.promise.catch(() => {});
    this.worker = startWorker<EngineWorker>({
      entry: moduleBeside(import.meta.url, "engine-thread"),
      name: "annex-compiler",
      data: options,
      handlers: {
        spawned: (pid) => {
          this.pid = pid;
        },
      },
      resourceLimits: threadLimits,
      // Opening and checking a large project takes as long as it takes. The next analysis opens a new compiler.
      deadlines: { closeMs: 500 },
      onStatus: ({ state }) => {
        // The number may belong to another process soon.
        if (state === "failed") this.pid = undefined;
      },
    });
  }

  async ask(queries: readonly TypeQuery[]): Promise<TypeResults> {
    if (this.isClosed) return this.closed.promise;
    return Promise.race([this.worker.call("ask", queries), this.closed.promise]);
  }

  conceal(secrets: readonly string[]): void {
    this.worker.post("conceal", [secrets]);
  }

  refresh(changed: readonly string[]): void {
    this.worker.post("refresh", [changed]);
  }

  /** Resolves when the compiler and the thread have ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.closed.reject(new Error("The compiler was closed."));
    if (this.pid !== undefined) kill(this.pid);
    await this.worker.close();
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already exited.
  }
}
