import { effect, signal } from "@preact/signals";
import { isVisible } from "./visibility.ts";

let stop = () => {};

/** The moment, anew every second while somebody looks: one timer for all that counts down on a page. */
export const now = signal(Date.now(), {
  watched() {
    stop = effect(() => {
      if (!isVisible.value) return;
      // What it said last may be long ago.
      queueMicrotask(tick);
      const timer = setInterval(tick, 1_000);
      return () => clearInterval(timer);
    });
  },
  unwatched() {
    stop();
  },
});

function tick(): void {
  now.value = Date.now();
}
