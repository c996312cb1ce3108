import { defineError } from "../../lib/errors/errors.ts";

export const JOB_MANAGER_NOT_INITIALIZED = defineError(
  "JOB_MANAGER_NOT_INITIALIZED",
  503,
  "The job manager is not initialized: the application has been stopped.",
);
export const INVALID_SCHEDULE = defineError("INVALID_SCHEDULE", 400, "%s");
export const INVALID_TIMEZONE = defineError("INVALID_TIMEZONE", 400, "%s is not a valid time zone. Use %s.");
export const INVALID_JOB = defineError("INVALID_JOB", 400, "%s");
export const JOB_ID_RESERVED = defineError(
  "JOB_ID_RESERVED",
  400,
  'The job ID "%s" is reserved: Annex uses "analytics" and IDs that start with "__svc".',
);
export const JOB_UNKNOWN = defineError("JOB_UNKNOWN", 404, 'Job "%s" does not exist.');
export const JOB_IS_SYSTEM = defineError(
  "JOB_IS_SYSTEM",
  403,
  'Job "%s" is a system job and cannot be removed. Pause it instead.',
);
export const JOB_IS_RUNNING = defineError("JOB_IS_RUNNING", 409, 'A run of job "%s" is already in progress.');
export const RUN_UNKNOWN = defineError("RUN_UNKNOWN", 404, 'Run "%s" does not exist.');
export const RUN_NOT_RUNNING = defineError(
  "RUN_NOT_RUNNING",
  409,
  'Run "%s" has already ended and cannot be cancelled.',
);
export const RUN_NOT_QUEUED = defineError("RUN_NOT_QUEUED", 404, 'Run "%s" is not in the queue.');
export const INSTANCE_FENCED = defineError(
  "INSTANCE_FENCED",
  503,
  "This instance cannot reach the database reliably and starts no jobs. Retry shortly.",
);
export const INVALID_PARAMETERS = defineError("INVALID_PARAMETERS", 400, "The parameters are not valid: %s.");
export const INSTANCE_SERVES_ONLY = defineError(
  "INSTANCE_SERVES_ONLY",
  409,
  "This instance does not run jobs, because cron.run is false. Queue the run with app.jobs.runAt.",
);
export const INSTANCE_FULL = defineError(
  "INSTANCE_FULL",
  503,
  "This instance already runs %s jobs, its limit. Retry shortly, or increase cron.concurrency.",
);
export const JOB_GROUP_FULL = defineError(
  "JOB_GROUP_FULL",
  409,
  'The job group "%s" already has %s runs in progress, its limit. Retry when one has ended, or increase cron.groups.',
);
