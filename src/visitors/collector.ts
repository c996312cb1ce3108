import type { FinishedRequest } from "../http/index.ts";
import type { AlarmClock } from "../lib/clock.ts";
import type { Redactor } from "../lib/redactor.ts";
import type { ViewBatch } from "./messages.ts";
import { toPageView } from "./page-view.ts";
import { createViewWriter } from "./view-codec.ts";

/** Gathers the page views of a second, and passes them on together. */
export interface Collector {
  add(request: FinishedRequest): void;
  /** Views that were too many in their second. */
  readonly dropped: number;
  /** Views that have not been passed on yet. */
  readonly waiting: number;
  /** Passes on what there is, and takes nothing more. */
  close(): void;
}

const intervalMs = 1_000;
/** More than that in a second are not people, and would only cost memory. */
const mostViews = 10_000;
const mostBytes = 4 * 2 ** 20;

export function createCollector(
  clock: AlarmClock,
  send: (batch: ViewBatch) => void,
  redactor?: Redactor,
): Collector {
  const writer = createViewWriter(mostBytes);
  let dropped = 0;
  let isClosed = false;
  let callOff: (() => void) | undefined;

  function passOn(): void {
    callOff?.();
    callOff = undefined;
    const { count } = writer;
    if (count > 0) send({ count, bytes: writer.take() });
  }

  return {
    add(request) {
      const isFull = isClosed || writer.count >= mostViews;
      if (isFull || !writer.add(toPageView(request, clock.now(), redactor))) dropped++;
      else callOff ??= clock.after(intervalMs, passOn);
    },
    get dropped() {
      return dropped;
    },
    get waiting() {
      return writer.count;
    },
    close() {
      isClosed = true;
      passOn();
    },
  };
}
