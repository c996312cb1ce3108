import { effect, signal } from "@preact/signals";
import { isVisible } from "./visibility.ts";

let stop = () => {};

/** The current time, updated every second while the page is visible. All countdowns on a page share this timer. */
export const now = signal(Date.now(), {
  watched() {
    stop = effect(() => {
      if (!isVisible.value) return;
      // The last value may be outdated.
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
