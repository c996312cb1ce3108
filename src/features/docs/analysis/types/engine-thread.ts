import { serveWorker } from "../../../../lib/worker/serve-worker.ts";
import type { TypeEngine } from "./query.ts";
import type { EngineWorker } from "./thread-engine.ts";
import { openTs7 } from "./ts7.ts";

/**
 * Setting of the compiler's garbage collector. Little of what the compiler allocates becomes garbage: with the default
 * of 100, looking for it takes a third of the time, and saves 3 % of the memory. A thread has its own environment.
 */
process.env.GOGC ??= "400";

/** The thread that queries the compiler. Each query blocks it. */
serveWorker<EngineWorker>(({ data, owner }) => {
  let options = data;
  let engine: TypeEngine | undefined;

  function open(): TypeEngine {
    engine ??= openTs7({ ...options, onSpawn: (pid) => owner.post("spawned", [pid]) });
    return engine;
  }

  /** If the compiler cannot apply a change, the next query opens it again. */
  function attempt(work: () => void): void {
    try {
      work();
    } catch {
      engine?.close();
      engine = undefined;
    }
  }

  // Opening takes a while. If it fails, the first query reports the reason.
  attempt(open);
  return {
    handlers: {
      ask: (queries) => open().ask(queries),
      conceal(secrets) {
        options = { ...options, secrets };
        engine?.conceal(secrets);
      },
      refresh: (changed) => attempt(() => engine?.refresh(changed)),
    },
    close: () => engine?.close(),
  };
});
