/**
 * A job that a feature brings along to look after what it keeps. Whoever schedules jobs runs it like any other, once
 * for all instances.
 */
export interface SystemJob {
  readonly id: `__svc${string}__`;
  readonly name: string;
  readonly description: string;
  /** Five fields, as for any job. */
  readonly schedule: string;
  run(log: SystemJobLog): Promise<void>;
}

export interface SystemJobLog {
  info(message: string): void;
  complete(message: string): void;
  readonly signal: AbortSignal;
}
