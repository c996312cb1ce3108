import { createHash } from "node:crypto";

/** A job of the fleet under test. All of them, except `block`, run every minute. */
export interface ChaosJob {
  readonly id: string;
  readonly overlap: "skip" | "queue" | "allow";
  /** Duration of the work. */
  readonly workMs: number;
  /** Whether about every second run fails. */
  readonly isFlaky?: boolean;
  /** Number of retries after a failure or an interruption. Jobs without retries ignore an interruption. */
  readonly retries?: number;
}

export const blockJob = "block";
export const everyMinute = "* * * * *";

const kinds: readonly { share: number; create(index: number): ChaosJob }[] = [
  {
    share: 60,
    create: (index) => ({ id: `quick-${index}`, overlap: "skip", workMs: 50 + (index % 10) * 30 }),
  },
  { share: 8, create: (index) => ({ id: `medium-${index}`, overlap: "skip", workMs: 5_000 }) },
  { share: 8, create: (index) => ({ id: `long-${index}`, overlap: "skip", workMs: 25_000 }) },
  { share: 4, create: (index) => ({ id: `parallel-${index}`, overlap: "allow", workMs: 30_000 }) },
  { share: 4, create: (index) => ({ id: `queued-${index}`, overlap: "queue", workMs: 4_000 }) },
  { share: 10, create: (index) => ({ id: `retried-${index}`, overlap: "skip", workMs: 12_000, retries: 5 }) },
  {
    share: 6,
    create: (index) => ({ id: `flaky-${index}`, overlap: "skip", workMs: 500, isFlaky: true, retries: 8 }),
  },
];

/** All kinds in their shares, and at least one job of each. */
export function createJobs(count: number): ChaosJob[] {
  const total = kinds.reduce((sum, { share }) => sum + share, 0);
  const amounts = kinds.map(({ share }) => Math.max(1, Math.round((share * count) / total)));
  amounts[0] = Math.max(1, count - amounts.slice(1).reduce((sum, amount) => sum + amount, 0));
  return kinds.flatMap(({ create }, kind) =>
    Array.from({ length: amounts[kind]! }, (_, index) => create(index)),
  );
}

/** Whether this run of a flaky job fails. */
export function isFailing(runId: string): boolean {
  return createHash("sha256").update(runId).digest()[0]! % 2 === 0;
}
