import { createRequire, syncBuiltinESMExports } from "node:module";
import { Worker } from "node:worker_threads";
import type { Cleanup } from "../../testing/share.ts";

const threads = createRequire(import.meta.url)("node:worker_threads");

export interface StartedThread {
  readonly name: string | undefined;
  readonly worker: Worker;
  /** Resolves when the thread has reported that it is ready. */
  readonly ready: Promise<void>;
}

/** The threads that are started until the test ends. */
export function recordThreads(t: Cleanup): StartedThread[] {
  const started: StartedThread[] = [];
  const original = threads.Worker;
  threads.Worker = class extends Worker {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given);
      const { promise: ready, resolve } = Promise.withResolvers<void>();
      this.on("message", ({ kind }: { kind: string }) => kind === "ready" && resolve());
      started.push({ name: given[1]?.name, worker: this, ready });
    }
  };
  syncBuiltinESMExports();
  t.after(() => {
    threads.Worker = original;
    syncBuiltinESMExports();
  });
  return started;
}
