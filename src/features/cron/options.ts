import { option, type Parse } from "../../lib/options/option.ts";
import { defineOptions } from "../../lib/options/option-set.ts";
import { describeExpected, parseTimezone } from "./planning/timezone.ts";

const timezone: Parse<string> = (value) => {
  try {
    return parseTimezone(value).name;
  } catch {
    throw new Error(describeExpected(value));
  }
};

/** Options of scheduled jobs. */
export const cronOptions = defineOptions("cron", {
  timezone: option.text({
    parse: timezone,
    env: "SVC_CRON_TIMEZONE",
    default: "UTC",
    about: "Time zone of all schedules, until it is changed at run time.",
  }),
  logRetentionHours: option.number({
    env: "SVC_CRON_LOG_RETENTION_HOURS",
    default: 72,
    runtime: { unit: "hours", min: 1, max: 87_600 },
    about: "How long job logs are stored.",
    more: "A job can have its own `logRetentionHours`. See [Jobs](cron.md#retention).",
  }),
  maxRuns: option.number({
    env: "SVC_CRON_MAX_RUNS",
    default: 1_000_000,
    about: "Maximum number of finished runs in the job log. The oldest are deleted first, once a day.",
  }),
});
