import type { FinishedRequest } from "../../../http/index.ts";
import type { Redactor } from "../../../lib/redaction/redactor.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import type { ViewBatch } from "../messages.ts";
import { toPageView } from "./page-view.ts";
import { createViewWriter } from "./view-codec.ts";

/** Collects the page views of a second and sends them as one batch. */
export interface Collector {
  add(request: FinishedRequest): void;
  /** Views dropped because of the limit per second. */
  readonly dropped: number;
  /** Views that have not been sent yet. */
  readonly waiting: number;
  /** Sends pending views and accepts no more. */
  close(): void;
}

const intervalMs = 1_000;
/** More views per second do not come from people and would only cost memory. */
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
