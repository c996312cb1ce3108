/** A scheduler to be measured. Each lives in a process of its own. */
export interface Subject {
  /** Registers and starts these jobs in that zone; returns when they are planned. */
  register(jobs: BenchJob[], timezone: string): Promise<void> | void;
  /** Moves every job to another zone; returns when all are planned again. */
  changeTimezone(timezone: string): Promise<void> | void;
  stop(): Promise<void> | void;
}

export interface BenchJob {
  readonly id: string;
  readonly schedule: string;
  run(): void;
}
