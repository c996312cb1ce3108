import type { AccessEvent } from "../../auth/index.ts";
import { createId } from "../../lib/ids.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";
import { cleanEvent } from "./events/event-text.ts";
import { createLogLines, type WriteLogLine } from "./events/log-lines.ts";
import { createMerger, zeroCounts } from "./events/merger.ts";
import type { AccessStore } from "./store.ts";

export interface RecorderOptions {
  readonly store: AccessStore;
  readonly clock: AlarmClock;
  readonly log: WriteLogLine;
}

/** Receives events on the request path and stores them in the background. */
export interface Recorder {
  /** Does not throw or wait. */
  record(event: AccessEvent): void;
  /** Events since the start of this process, by kind. */
  readonly counts: Readonly<Record<AccessEvent["kind"], number>>;
  /** Stores pending events. Never rejects: failed writes are retried later. */
  flush(): Promise<void>;
  /** Stores pending events, unless that takes too long. Later events are ignored. */
  close(): Promise<void>;
}

/** Events are stored in batches. */
const writeAfterMs = 1_000;
const retryAfterMs = 5_000;
/** How often rows are closed when there are no new events. */
const closeEveryMs = 30_000;
const closeWithinMs = 2_000;
const rowsPerBatch = 200;

export function createRecorder({ store, clock, log }: RecorderOptions): Recorder {
  const counts = zeroCounts();
  const lines = createLogLines(log);
  const merger = createMerger({ clock, createId, onOpened: lines.opened, onClosed: lines.closed });
  let wakesAt = Number.POSITIVE_INFINITY;
  let cancelWake = () => {};
  let work: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;
  let isFailing = false;
  let isClosed = false;

  function wakeAfter(milliseconds: number): void {
    const at = clock.elapsed() + milliseconds;
    if (isClosed || at >= wakesAt) return;
    cancelWake();
    wakesAt = at;
    cancelWake = clock.after(milliseconds, wake);
  }

  function wake(): void {
    wakesAt = Number.POSITIVE_INFINITY;
    if (merger.close() > 0) wakeAfter(closeEveryMs);
    void flush();
  }

  /** At most one write runs and one waits, regardless of the number of calls. */
  function flush(): Promise<void> {
    queued ??= work.then(() => {
      queued = undefined;
      work = writeAll();
      return work;
    });
    return queued;
  }

  async function writeAll(): Promise<void> {
    const rows = merger.unwritten();
    try {
      for (let from = 0; from < rows.length; from += rowsPerBatch) {
        const batch = rows.slice(from, from + rowsPerBatch);
        await store.write(batch);
        for (const row of batch) merger.written(row);
      }
      if (rows.length > 0) reportStored();
    } catch (error) {
      reportFailure(error);
      wakeAfter(retryAfterMs);
    }
  }

  function reportStored(): void {
    if (isFailing) log("info", "Access event storage recovered", { event: "log" });
    isFailing = false;
  }

  /** Logs the failure once, and not on every retry. */
  function reportFailure(error: unknown): void {
    if (!isFailing) log("warn", "Failed to store access events; retrying", { event: "log", error });
    isFailing = true;
  }

  return {
    counts,
    flush,
    record(event) {
      if (isClosed) return;
      counts[event.kind]++;
      merger.add(cleanEvent(event));
      wakeAfter(isFailing ? retryAfterMs : writeAfterMs);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      cancelWake();
      merger.close(true);
      const { promise: timeout, resolve } = Promise.withResolvers<void>();
      const cancelTimeout = clock.after(closeWithinMs, resolve);
      await Promise.race([flush(), timeout]);
      cancelTimeout();
    },
  };
}
