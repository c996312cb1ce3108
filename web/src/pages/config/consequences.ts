import { formatBytes, formatSpan } from "../../format/numbers.ts";
import type { Setting, SettingValue } from "./shapes.ts";
import { wordValue } from "./values.tsx";

/** What is on the disk, as far as a change may delete of it. */
export interface Sizes {
  readonly logs: number;
  readonly figures: number | undefined;
}

/** What a change will do, in sentences. */
export interface Consequences {
  readonly sentences: readonly string[];
  /** Whether something goes that does not come back. */
  readonly isLoss: boolean;
}

type Foretell = (value: never, setting: Setting, sizes: Sizes) => Consequences;

const foretellers: Readonly<Record<string, Foretell>> = {
  logLevel: foretellLevel,
  "log.retentionHours": foretellAge("Log records", "within a minute"),
  "cron.logRetentionHours": foretellAge(
    "Logs of jobs",
    "at the next nightly clean-up; until then you can change it back without loss",
  ),
  "access.retentionDays": foretellAge("Access events", "within the hour", 86_400_000),
  "log.maxMegabytes": (value: number, setting, { logs }) =>
    foretellSize(value, setting, { things: "log records", bytes: logs, when: "within a minute" }),
  "metrics.maxMegabytes": (value: number, setting, { figures }) =>
    foretellSize(value, setting, { things: "figures", bytes: figures, when: "within the hour" }),
  "visitors.enabled": (isOn: boolean) =>
    isOn
      ? harmless("Views are counted from now on.")
      : {
          sentences: [
            "Views from now on are not counted, and cannot be recovered later. What was counted stays.",
          ],
          isLoss: true,
        },
  "visitors.honourDoNotTrack": (isOn: boolean) =>
    harmless(
      isOn
        ? "Views of visitors who ask not to be tracked no longer count, so the figures will be lower. What was counted stays."
        : "Views of visitors who ask not to be tracked count from now on, like all others.",
    ),
  "visitors.exclude": (paths: readonly string[]) =>
    harmless(
      paths.length === 0
        ? "Views of all pages count from now on."
        : `Views of ${paths.length === 1 ? "this path do" : `these ${paths.length} paths do`} not count from now on. What was counted stays.`,
    ),
};

/** What will happen when the setting has that value. */
export function foretell(setting: Setting, value: SettingValue, sizes: Sizes): Consequences {
  const foretellOne = foretellers[setting.name] as
    | ((value: SettingValue, setting: Setting, sizes: Sizes) => Consequences)
    | undefined;
  return foretellOne?.(value, setting, sizes) ?? harmless();
}

function harmless(...sentences: string[]): Consequences {
  return { sentences, isLoss: false };
}

const wordsOfLevels: Readonly<Record<string, string>> = {
  debug: "Everything is logged, including every request.",
  info: "Debug records and single requests are not logged.",
  warn: "Only warnings and errors are logged; single requests are not.",
  error: "Only errors are logged; single requests are not.",
};

function foretellLevel(level: string, { value }: Setting): Consequences {
  const loses = value === "debug" && level !== "debug";
  const search = loses
    ? ["New requests can no longer be searched one by one; counts and durations are still kept."]
    : [];
  return harmless(wordsOfLevels[level] ?? `What is less severe than ${level} is not logged.`, ...search);
}

function foretellAge(things: string, when: string, unitMs = 3_600_000) {
  return (wanted: number, { name, value }: Setting): Consequences => {
    const age = formatSpan(wanted * unitMs);
    if (wanted >= (value as number))
      return harmless(`Nothing is deleted. ${things} are kept for ${age} from now on.`);
    return {
      sentences: [`${things} older than ${wordValue(name, wanted)} (${age}) are deleted for good ${when}.`],
      isLoss: true,
    };
  };
}

interface Kept {
  readonly things: string;
  /** What they take now, if that is known. */
  readonly bytes: number | undefined;
  readonly when: string;
}

function foretellSize(
  megabytes: number,
  { value }: Setting,
  { things, bytes = Infinity, when }: Kept,
): Consequences {
  const limit = megabytes * 1_000_000;
  if (megabytes >= (value as number)) return harmless("Nothing is deleted.");
  if (bytes <= limit)
    return harmless(`The ${things} take about ${formatBytes(bytes)}, so nothing is deleted now.`);
  const excess = Number.isFinite(bytes) ? `about ${formatBytes(bytes - limit)} of ` : "";
  return {
    sentences: [
      `The ${things} must fit into ${formatBytes(limit)}: ${excess}the oldest are deleted for good ${when}.`,
    ],
    isLoss: true,
  };
}
