import type { Incident } from "./faults.ts";
import type { ChaosJob } from "./jobs.ts";
import type { Call, ProcessRecord, StoredRun } from "./records.ts";

/** What a run left behind. Times of runs are those of the database; all others are monotonic. */
export interface Evidence {
  readonly jobs: readonly ChaosJob[];
  readonly runs: readonly StoredRun[];
  readonly calls: readonly Call[];
  readonly records: readonly ProcessRecord[];
  readonly incidents: readonly Incident[];
  /** The time in which ticks are expected, in the time of the database. */
  readonly window: { readonly from: number; readonly to: number };
  /** The time of the database minus the monotonic time. */
  readonly wallShiftMs: number;
  /** How long a process may have waited for its turn, because the machine was busy. */
  readonly slackMs: number;
  /** When a run was last seen in progress in the database. */
  lastSeenRunning(run: string): number | undefined;
}

/** Returns a sentence for each violation. */
export type Check = (evidence: Evidence) => string[];

/** An instance that stops responding is given up within this time: its lease, and a round of the others. */
export const giveUpMs = 30_000;
/** Time in which a function notices its signal after its process was resumed or its instance was fenced. */
export const noticeMs = 1_500;
/** Time in which the end of a run is stored while the database is available. */
export const storeMs = 20_000;

export const nameTick = (job: string, tick: number) =>
  `${job} at ${new Date(tick).toISOString().slice(11, 19)}`;
export const isTick = ({ trigger }: StoredRun) => trigger !== "manual";
