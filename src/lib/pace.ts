import { setImmediate as nextTurn } from "node:timers/promises";

/** Long work on the main thread: call it between two steps, and requests are served as soon as it has taken that long. */
export function createPace(maxMs = 5): () => Promise<void> {
  let begin = performance.now();
  return async () => {
    if (performance.now() - begin < maxMs) return;
    await nextTurn();
    begin = performance.now();
  };
}
