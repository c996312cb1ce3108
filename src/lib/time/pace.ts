import { setImmediate as nextTurn } from "node:timers/promises";

/** For long work on the main thread: await it between steps. It yields to the event loop every `maxMs` milliseconds. */
export function createPace(maxMs = 5): () => Promise<void> {
  let begin = performance.now();
  return async () => {
    if (performance.now() - begin < maxMs) return;
    await nextTurn();
    begin = performance.now();
  };
}
