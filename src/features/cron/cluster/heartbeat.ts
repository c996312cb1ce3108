import type { LeaseStore } from "./lease-store.ts";

/** A renewed lease. */
export interface Beat {
  /** When the renewal was sent and confirmed, in monotonic milliseconds. */
  readonly sentAt: number;
  readonly confirmedAt: number;
  /** The time of the database when it renewed the lease. */
  readonly databaseNow: number;
}

/** Renews the lease of this instance until it is stopped. */
export interface Heartbeat {
  /**
   * Resolves with the first beat. Rejects if it fails or is not there in time; call `start` again then. The first `onBeat`
   * gets all beats.
   */
  start(onBeat: (beat: Beat) => void): Promise<void>;
  /** When the last renewal that succeeded was sent, in monotonic milliseconds. */
  lastSentAt(): number;
  /** Shows that the main thread is running. */
  pulse(): void;
  /** Stops, and releases the lease. */
  stop(): Promise<void>;
}

export const beatMs = 3_000;
/** After a failure, the next attempt follows soon: another connection may work. */
export const retryMs = 500;

/** Renews the lease once, and measures the clock of the database. `elapsed` is monotonic, in milliseconds. */
export async function beatOnce(leases: LeaseStore, elapsed: () => number): Promise<Beat> {
  const sentAt = elapsed();
  const databaseNow = await leases.renew();
  return { sentAt, confirmedAt: elapsed(), databaseNow };
}
