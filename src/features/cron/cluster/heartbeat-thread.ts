import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../../lib/thrown.ts";
import type { WorkerContract } from "../../../lib/worker/contract.ts";
import { serveWorker } from "../../../lib/worker/serve-worker.ts";
import { type Database, type DatabaseOptions, openDatabase, toOutage } from "../../../storage/index.ts";
import { type Beat, beatMs, beatOnce, retryMs } from "./heartbeat.ts";
import { createLeaseStore, type LeaseOptions } from "./lease-store.ts";
import { viewHeartbeat } from "./shared-memory.ts";

export interface HeartbeatContract extends WorkerContract {
  readonly data: {
    readonly database: DatabaseOptions;
    readonly lease: LeaseOptions;
    /** A `HeartbeatMemory`. */
    readonly memory: SharedArrayBuffer;
    /** If the main thread does not run for this long, its lease is not renewed any more. */
    readonly longestBlockMs: number;
  };
  readonly calls: Record<never, never>;
  readonly ownerCalls: {
    /** The times are those of `process.hrtime`, which all threads share. */
    beat(beat: Beat): void;
    /** A beat could not be stored. */
    fail(failure: BeatFailure): void;
  };
}

/** Why a beat could not be stored. An error would lose its type between the threads. */
export interface BeatFailure {
  readonly message: string;
  /** Whether the database cannot be reached at the moment. */
  readonly isOutage: boolean;
}

const elapsed = (): number => Number(process.hrtime.bigint()) / 1e6;

serveWorker<HeartbeatContract>(({ data, owner }) => {
  const { pulse, sentAt } = viewHeartbeat(data.memory);
  const closing = new AbortController();
  let database: Database | undefined;
  let lastPulse = { count: Atomics.load(pulse, 0), at: elapsed() };

  /** A process whose main thread hangs for good must not keep its jobs from running elsewhere. */
  function isMainRunning(): boolean {
    const count = Atomics.load(pulse, 0);
    if (count !== lastPulse.count) lastPulse = { count, at: elapsed() };
    return elapsed() - lastPulse.at < data.longestBlockMs;
  }

  /** Opens the database here, because it may be away when the thread starts. */
  async function beat(): Promise<boolean> {
    try {
      database ??= await openDatabase(data.database);
      if (!isMainRunning()) return true;
      const beat = await beatOnce(createLeaseStore(database, data.lease), elapsed);
      Atomics.store(sentAt, 0, BigInt(Math.floor(beat.sentAt * 1e6)));
      owner.post("beat", [beat]);
      return true;
    } catch (error) {
      const outage = toOutage(error);
      owner.post("fail", [{ message: messageOf(outage ?? error), isOutage: outage !== undefined }]);
      return false;
    }
  }

  async function keepBeating(): Promise<void> {
    while (!closing.signal.aborted) {
      const isRenewed = await beat();
      await delay(isRenewed ? beatMs : retryMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  const beating = keepBeating();

  return {
    handlers: {},
    async close() {
      closing.abort();
      await beating;
      if (!database) return;
      await createLeaseStore(database, data.lease)
        .release()
        .catch(() => {});
      await database.close();
    },
  };
});
