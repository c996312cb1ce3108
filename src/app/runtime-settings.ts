import type { Access } from "../access/index.ts";
import type { Cron } from "../cron/index.ts";
import { type Logger, levelNames } from "../logging/index.ts";
import type { Setting, SettingKind, SettingValue } from "../settings/index.ts";
import type { Visitors } from "../visitors/index.ts";
import type { Config } from "./config.ts";
import type { Databases } from "./databases.ts";
import { flag, listOfPaths, logLevel, positiveNumber } from "./option-values.ts";

export interface ChangeableParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly databases: Pick<Databases, "retainLogs">;
  readonly cron: Pick<Cron, "keepLogsFor">;
  readonly access: Pick<Access, "retain">;
  readonly visitors: Pick<Visitors, "configure">;
  limitHistory(maxBytes: number): void;
}

const hourMs = 3_600_000;
const megabyte = 1_000_000;

const hours = { kind: "number", unit: "hours", least: 1, most: 87_600 } as const satisfies SettingKind;
const days = { kind: "number", unit: "days", least: 1, most: 3_650 } as const satisfies SettingKind;
const megabytes = {
  kind: "number",
  unit: "megabytes",
  least: 1,
  most: 1_000_000,
} as const satisfies SettingKind;

/** The options that can be changed at run time. */
export function createRuntimeSettings(parts: ChangeableParts): Setting[] {
  const { config, logger, databases, cron, access, visitors, limitHistory } = parts;
  const initialOf = <T>(name: string) => config.entries.find((entry) => entry.name === name)!.value as T;

  /** Defines an option whose part does not expose its current value, so the value is stored here. */
  function define<T extends SettingValue>(setting: Omit<Setting<T>, "current">): Setting {
    let value = initialOf<T>(setting.name);
    const apply = (next: T) => {
      setting.apply(next);
      value = next;
    };
    return { ...setting, current: () => value, apply } satisfies Setting<T>;
  }

  return [
    {
      name: "logLevel",
      meaning: "Minimum level of log records. Requests are logged at debug.",
      kind: { kind: "choice", options: levelNames },
      parse: logLevel,
      current: () => logger.level,
      apply(level) {
        logger.level = logLevel(level);
      },
    },
    define({
      name: "log.retentionHours",
      meaning: "How long log records are stored.",
      kind: hours,
      parse: positiveNumber,
      apply: (value) => databases.retainLogs({ maxAgeMs: value * hourMs }),
    }),
    define({
      name: "log.maxMegabytes",
      meaning: "Maximum size of the log records in the database. The oldest are deleted first.",
      kind: megabytes,
      parse: positiveNumber,
      apply: (value) => databases.retainLogs({ maxBytes: value * megabyte }),
    }),
    define({
      name: "cron.logRetentionHours",
      meaning: "How long job logs are stored.",
      kind: hours,
      parse: positiveNumber,
      apply: (value) => cron.keepLogsFor(Math.ceil(value * hourMs)),
    }),
    define({
      name: "access.retentionDays",
      meaning: "How long access events are stored.",
      kind: days,
      parse: positiveNumber,
      apply: (value) => access.retain(value),
    }),
    define({
      name: "metrics.maxMegabytes",
      meaning: "Maximum size of the metrics history. The oldest data is deleted first.",
      kind: megabytes,
      parse: positiveNumber,
      apply: (value) => limitHistory(value * megabyte),
    }),
    define({
      name: "visitors.enabled",
      meaning: "Whether page views are counted.",
      kind: { kind: "switch" },
      parse: flag,
      apply: (enabled) => visitors.configure({ enabled }),
    }),
    define({
      name: "visitors.honourDoNotTrack",
      meaning: "Whether requests with DNT: 1 or Sec-GPC: 1 are excluded.",
      kind: { kind: "switch" },
      parse: flag,
      apply: (honourDoNotTrack) => visitors.configure({ honourDoNotTrack }),
    }),
    define({
      name: "visitors.exclude",
      meaning: "Paths that are never counted. * matches any characters.",
      kind: { kind: "paths", most: 50 },
      parse: listOfPaths,
      apply: (exclude) => visitors.configure({ exclude }),
    }),
  ];
}
