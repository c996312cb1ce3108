import type { AlarmClock } from "../../../lib/time/clock.ts";
import { startWorker } from "../../../lib/worker/start-worker.ts";
import { moduleBeside } from "../../../lib/worker/threads.ts";
import { type DatabaseOptions, DatabaseOutage } from "../../../storage/index.ts";
import type { Beat, Heartbeat } from "./heartbeat.ts";
import type { BeatFailure, HeartbeatContract } from "./heartbeat-thread.ts";
import type { LeaseOptions } from "./lease-store.ts";
import { heartbeatBytes, viewHeartbeat } from "./shared-memory.ts";

export interface ThreadHeartbeatOptions {
  readonly database: DatabaseOptions;
  readonly lease: LeaseOptions;
  readonly clock: AlarmClock;
}

/** A connection that does not respond is replaced before the next beat is due. */
const connection = {
  poolSize: 1,
  statementTimeoutMs: 2_000,
  responseTimeoutMs: 2_500,
  connectTimeoutMs: 2_500,
} as const satisfies Partial<DatabaseOptions>;

/** Longer than any synchronous work that is meant to end. */
const longestBlockMs = 300_000;
/** Includes the start of the thread on a busy machine. */
const firstBeatMs = 60_000;
const deadlines = { startMs: 60_000, callMs: 10_000, hangMs: 30_000, closeMs: 3_000 };
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

/** A heartbeat in a thread of its own, so that synchronous work in the main thread does not stop it. */
export function createThreadHeartbeat({ database, lease, clock }: ThreadHeartbeatOptions): Heartbeat {
  const memory = new SharedArrayBuffer(heartbeatBytes);
  const { pulse, sentAt } = viewHeartbeat(memory);
  let worker: ReturnType<typeof startWorker<HeartbeatContract>> | undefined;
  let first: PromiseWithResolvers<void>;
  return {
    async start(onBeat) {
      first = Promise.withResolvers();
      const cancelDeadline = clock.after(firstBeatMs, () =>
        first.reject(new Error("The heartbeat of this instance was not stored within a minute.")),
      );
      // After a failure, the thread continues by itself.
      worker ??= startWorker<HeartbeatContract>({
        entry: moduleBeside(import.meta.url, "heartbeat-thread"),
        name: "annex-heartbeat",
        data: { database: { ...database, ...connection }, lease, memory, longestBlockMs },
        handlers: {
          beat(beat) {
            onBeat(toOwnTime(beat, clock));
            first.resolve();
          },
          fail: (failure) => first.reject(toError(failure)),
        },
        resourceLimits,
        restartMs: 500,
        deadlines,
      });
      try {
        await first.promise;
      } finally {
        cancelDeadline();
      }
    },
    lastSentAt() {
      const sent = Atomics.load(sentAt, 0);
      return sent === 0n ? Number.NEGATIVE_INFINITY : Number(sent) / 1e6 + shiftOf(clock);
    },
    pulse() {
      Atomics.add(pulse, 0, 1);
    },
    async stop() {
      await worker?.close();
    },
  };
}

function toError({ message, isOutage }: BeatFailure): Error {
  if (isOutage) return new DatabaseOutage(message);
  return new Error(`Failed to store the first heartbeat of this instance: ${message}`);
}

/** The clock of the main thread and `process.hrtime` count from different points in time. */
function shiftOf(clock: AlarmClock): number {
  return clock.elapsed() - Number(process.hrtime.bigint()) / 1e6;
}

function toOwnTime({ sentAt, confirmedAt, databaseNow }: Beat, clock: AlarmClock): Beat {
  const shift = shiftOf(clock);
  return { sentAt: sentAt + shift, confirmedAt: confirmedAt + shift, databaseNow };
}
