import { parentPort, workerData } from "node:worker_threads";
import type { TypeEngine, TypeEngineOptions } from "./query.ts";
import type { FromEngine, ToEngine } from "./thread-engine.ts";
import { openTs7 } from "./ts7.ts";

/** The thread that queries the compiler. Each query blocks it. */

const port = parentPort!;
const tell = (message: FromEngine) => port.postMessage(message);
let options = workerData as TypeEngineOptions;
let engine: TypeEngine | undefined;

function open(): TypeEngine {
  engine ??= openTs7({ ...options, onSpawn: (pid) => tell({ kind: "spawned", pid }) });
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

port.on("message", (message: ToEngine) => {
  switch (message.kind) {
    case "ask":
      try {
        tell({ kind: "answers", answers: open().ask(message.queries) });
      } catch (error) {
        tell({ kind: "failed", reason: (error as Error).message });
      }
      break;
    case "conceal":
      options = { ...options, secrets: message.secrets };
      engine?.conceal(message.secrets);
      break;
    case "refresh":
      attempt(() => engine?.refresh(message.changed));
      break;
    case "close":
      engine?.close();
      port.close();
  }
});

// Opening takes a while. If it fails, the first query reports the reason.
attempt(open);
