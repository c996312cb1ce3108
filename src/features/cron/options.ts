import { option, type Parse } from "../../lib/options/option.ts";
import { defineGroup, defineOptions } from "../../lib/options/option-set.ts";
import type { GroupLimits } from "./limits/group-limits.ts";
import { describeExpected, parseTimezone } from "./planning/timezone.ts";

const timezone: Parse<string> = (value) => {
  try {
    return parseTimezone(value).name;
  } catch {
    throw new Error(describeExpected(value));
  }
};

const mostRuns = 10_000;

/** In the environment: `exports=2,mail=5`. */
const parseGroups: Parse<GroupLimits> = (value) => {
  const given = typeof value === "string" ? parsePairs(value) : value;
  const isLimit = (limit: unknown) =>
    Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= mostRuns;
  if (typeof given === "object" && given !== null && !Array.isArray(given)) {
    const names = Object.keys(given);
    if (names.every((name) => name.trim() !== "") && Object.values(given).every(isLimit))
      return given as GroupLimits;
  }
  throw new Error(`limits from 1 to ${mostRuns} by group, such as { exports: 2 }`);
};

function parsePairs(text: string): Record<string, number> {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = "", limit = ""] = pair.split("=");
      return [name.trim(), limit.trim() === "" ? Number.NaN : Number(limit)];
    }),
  );
}

const group = defineGroup({ name: "cron", title: "Cron", about: "Scheduled jobs.", order: 40 });

/** Options of scheduled jobs. */
export const cronOptions = defineOptions(group, {
  timezone: option.text({
    parse: timezone,
    env: "SVC_CRON_TIMEZONE",
    default: "UTC",
    about: "Time zone of all schedules, until it is changed at run time.",
  }),
  run: option.flag({
    env: "SVC_CRON_RUN",
    default: true,
    about: "Whether this instance runs jobs. If not, it only serves.",
    more: "See [workers](cron.md#workers).",
  }),
  concurrency: option.optionalNumber({
    integer: { min: 1, max: mostRuns },
    env: "SVC_CRON_CONCURRENCY",
    about: "Maximum number of runs in progress on this instance.",
    more: "See [limits](cron.md#limits).",
  }),
  groups: option.custom<GroupLimits>({
    parse: parseGroups,
    type: "Record<string, number>",
    env: "SVC_CRON_GROUPS",
    default: {},
    defaultText: "none",
    show: (groups) => Object.entries(groups).map(([name, limit]) => `${name}=${limit}`),
    about: "Maximum number of runs in progress by job group, on all instances together.",
    more: "In the environment, such as `exports=2,mail=5`. See [limits](cron.md#limits).",
  }),
  logRetentionHours: option.number({
    env: "SVC_CRON_LOG_RETENTION_HOURS",
    default: 72,
    runtime: { unit: "hours", min: 1, max: 87_600 },
    effect: {
      kind: "age",
      data: "job logs",
      when: "at the next nightly clean-up; until then you can change it back without loss",
    },
    about: "How long job logs are stored.",
    more: "A job can have its own `logRetentionHours`. See [Jobs](cron.md#retention).",
  }),
  maxRuns: option.number({
    env: "SVC_CRON_MAX_RUNS",
    default: 1_000_000,
    about: "Maximum number of finished runs in the job log. The oldest are deleted first, once a day.",
  }),
});
