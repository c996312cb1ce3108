/**
 * A maintenance job of a feature. The scheduler runs it like any other job, once for all instances.
 */
export interface SystemJob {
  readonly id: `__svc${string}__`;
  readonly name: string;
  readonly description: string;
  /** A cron expression with five fields. */
  readonly schedule: string;
  run(log: SystemJobLog): Promise<void>;
}

export interface SystemJobLog {
  info(message: string): void;
  complete(message: string): void;
  readonly signal: AbortSignal;
}
