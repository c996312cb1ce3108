import type { Setting, SettingValue } from "../../../../../src/features/settings/wire.ts";
import { formatBytes, formatPercent, formatSpan } from "../../../format/numbers.ts";
import { valueLabel } from "../values.tsx";

/** Sizes of stored data that a change may delete. */
export interface Sizes {
  readonly logs: number;
  readonly metrics: number | undefined;
}

/** The effects of a change, as sentences. */
export interface Impact {
  readonly sentences: readonly string[];
  /** Whether data is deleted permanently. */
  readonly isLoss: boolean;
}

type ImpactOf = (value: never, setting: Setting, sizes: Sizes) => Impact;

const impacts: Readonly<Record<string, ImpactOf>> = {
  logLevel: levelImpact,
  "log.sample": (share: number) =>
    harmless(
      share === 1
        ? "All requests are logged from now on, if the level is debug."
        : `From now on, ${formatPercent(share)} of successful, fast requests are logged. Failed and slow ones still are, and metrics count all.`,
    ),
  "log.retentionHours": ageImpact("Log records", "within a minute"),
  "cron.logRetentionHours": ageImpact(
    "Job logs",
    "at the next nightly clean-up; until then you can change it back without loss",
  ),
  "access.retentionDays": ageImpact("Access events", "within the hour", 86_400_000),
  "log.maxMegabytes": (value: number, setting, { logs }) =>
    sizeImpact(value, setting, { things: "log records", bytes: logs, when: "within a minute" }),
  "metrics.maxMegabytes": (value: number, setting, { metrics }) =>
    sizeImpact(value, setting, { things: "metrics", bytes: metrics, when: "within the hour" }),
  "visitors.enabled": (isOn: boolean) =>
    isOn
      ? harmless("Views are counted from now on.")
      : {
          sentences: [
            "Views from now on are not counted, and cannot be recovered later. Existing counts are kept.",
          ],
          isLoss: true,
        },
  "visitors.honourDoNotTrack": (isOn: boolean) =>
    harmless(
      isOn
        ? "Views of visitors who ask not to be tracked no longer count, so the numbers will be lower. Existing counts are kept."
        : "Views of visitors who ask not to be tracked count from now on, like all others.",
    ),
  "visitors.exclude": (paths: readonly string[]) =>
    harmless(
      paths.length === 0
        ? "Views of all pages count from now on."
        : `Views of ${paths.length === 1 ? "this path" : `these ${paths.length} paths`} are no longer counted. Existing counts are kept.`,
    ),
};

/** Describes the effects of a new value. */
export function previewImpact(setting: Setting, value: SettingValue, sizes: Sizes): Impact {
  const impactOf = impacts[setting.name] as
    | ((value: SettingValue, setting: Setting, sizes: Sizes) => Impact)
    | undefined;
  return impactOf?.(value, setting, sizes) ?? harmless();
}

function harmless(...sentences: string[]): Impact {
  return { sentences, isLoss: false };
}

const wordsOfLevels: Readonly<Record<string, string>> = {
  debug: "Everything is logged, including every request.",
  info: "Debug records and individual requests are not logged.",
  warn: "Only warnings and errors are logged; individual requests are not.",
  error: "Only errors are logged; individual requests are not.",
};

function levelImpact(level: string, { value }: Setting): Impact {
  const loses = value === "debug" && level !== "debug";
  const search = loses
    ? ["New requests can no longer be searched individually; counts and durations are still stored."]
    : [];
  return harmless(wordsOfLevels[level] ?? `Records below ${level} are not logged.`, ...search);
}

function ageImpact(things: string, when: string, unitMs = 3_600_000) {
  return (wanted: number, { name, value }: Setting): Impact => {
    const age = formatSpan(wanted * unitMs);
    if (wanted >= (value as number))
      return harmless(`Nothing is deleted. ${things} are kept for ${age} from now on.`);
    return {
      sentences: [
        `${things} older than ${valueLabel(name, wanted)} (${age}) are permanently deleted ${when}.`,
      ],
      isLoss: true,
    };
  };
}

interface Kept {
  readonly things: string;
  /** The current size, if known. */
  readonly bytes: number | undefined;
  readonly when: string;
}

function sizeImpact(megabytes: number, { value }: Setting, { things, bytes = Infinity, when }: Kept): Impact {
  const limit = megabytes * 1_000_000;
  if (megabytes >= (value as number)) return harmless("Nothing is deleted.");
  if (bytes <= limit)
    return harmless(`The ${things} take about ${formatBytes(bytes)}, so nothing is deleted now.`);
  const excess = Number.isFinite(bytes) ? `about ${formatBytes(bytes - limit)} of ` : "";
  return {
    sentences: [
      `The ${things} must fit into ${formatBytes(limit)}: ${excess}the oldest are permanently deleted ${when}.`,
    ],
    isLoss: true,
  };
}
