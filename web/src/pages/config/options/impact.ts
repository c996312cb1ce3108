import type { Setting, SettingValue } from "../../../../../src/features/settings/wire.ts";
import { capitalize } from "../../../format/capitalize.ts";
import { formatBytes, formatPercent, formatSpan } from "../../../format/numbers.ts";
import { valueLabel } from "../values.tsx";

/** The current size of the data that a limit applies to, by store. Undefined if it is not known. */
export type Sizes = (store: string) => number | undefined;

/** The effects of a change, as sentences. */
export interface Impact {
  readonly sentences: readonly string[];
  /** Whether data is deleted permanently. */
  readonly isLoss: boolean;
}

/** Describes the effects of a new value. */
export function previewImpact(setting: Setting, value: SettingValue, sizes: Sizes): Impact {
  const { effect } = setting;
  switch (effect?.kind) {
    case "age":
      return ageImpact(effect, setting, value as number);
    case "size":
      return sizeImpact(effect, setting, value as number, sizes(effect.store));
    case "switch":
      return { sentences: [value ? effect.on : effect.off], isLoss: !value && effect.loses === true };
    case "choice":
      return choiceImpact(effect, setting, value as string);
    case "share":
      return harmless(describeShare(effect, value as number));
    case "paths":
      return harmless(describePaths(effect, value as readonly string[]));
    default:
      return harmless();
  }
}

type Effect = NonNullable<Setting["effect"]>;
type EffectOf<Kind extends Effect["kind"]> = Extract<Effect, { kind: Kind }>;

function harmless(...sentences: string[]): Impact {
  return { sentences, isLoss: false };
}

const unitMs: Readonly<Record<string, number>> = { hours: 3_600_000, days: 86_400_000 };

function ageImpact({ data, when }: EffectOf<"age">, setting: Setting, wanted: number): Impact {
  const { name, value } = setting;
  const age = formatSpan(wanted * unitMs[setting.kind === "number" ? setting.unit : "hours"]!);
  const things = capitalize(data);
  if (wanted >= (value as number))
    return harmless(`Nothing is deleted. ${things} are kept for ${age} from now on.`);
  return {
    sentences: [`${things} older than ${valueLabel(name, wanted)} (${age}) are permanently deleted ${when}.`],
    isLoss: true,
  };
}

function sizeImpact(
  { data, when }: EffectOf<"size">,
  { value }: Setting,
  megabytes: number,
  bytes = Number.POSITIVE_INFINITY,
): Impact {
  const limit = megabytes * 1_000_000;
  if (megabytes >= (value as number)) return harmless("Nothing is deleted.");
  if (bytes <= limit)
    return harmless(`The ${data} take about ${formatBytes(bytes)}, so nothing is deleted now.`);
  const excess = Number.isFinite(bytes) ? `about ${formatBytes(bytes - limit)} of ` : "";
  return {
    sentences: [
      `The ${data} must fit into ${formatBytes(limit)}: ${excess}the oldest are permanently deleted ${when}.`,
    ],
    isLoss: true,
  };
}

function choiceImpact({ values, leaving = {} }: EffectOf<"choice">, setting: Setting, value: string): Impact {
  const before = String(setting.value);
  const sentences = [values[value], before === value ? undefined : leaving[before]];
  return harmless(...sentences.filter((sentence) => sentence !== undefined));
}

function describeShare({ all, some }: EffectOf<"share">, share: number): string {
  return share === 1 ? all : some.replace("%s", formatPercent(share));
}

function describePaths({ none, some }: EffectOf<"paths">, { length }: readonly string[]): string {
  return length === 0 ? none : some.replace("%s", length === 1 ? "this path" : `these ${length} paths`);
}
