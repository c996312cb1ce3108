import type { Setting, SettingValue } from "../../../../../src/features/settings/wire.ts";
import { formatWhole } from "../../../format/numbers.ts";

/** The form holds values as text, so that invalid input is not lost. */
export function toDraft({ kind, value }: Setting): string {
  return kind === "paths" || kind === "lines" ? (value as readonly string[]).join("\n") : String(value);
}

/** The parsed value, or a validation message. The server validates it again. */
export type Parsed = { readonly value: SettingValue } | { readonly problem: string };

export function parseDraft(setting: Setting, draft: string): Parsed {
  switch (setting.kind) {
    case "number":
      return parseNumber(setting, draft);
    case "paths":
      return parsePaths(draft, setting.most);
    case "lines":
      return parseLines(draft, setting.most);
    case "switch":
      return { value: draft === "true" };
    case "choice":
      return { value: draft };
  }
}

function parseNumber(setting: Setting & { kind: "number" }, draft: string): Parsed {
  const { unit, least, most } = setting;
  const value = Number(draft);
  if (draft.trim() !== "" && value >= least && value <= most) return { value };
  return { problem: `Enter a number${unit && ` of ${unit}`} from ${least} to ${formatWhole(most)}.` };
}

function parsePaths(draft: string, most: number): Parsed {
  const paths = linesOf(draft);
  const wrong = paths.find((path) => !/^[/*]/.test(path));
  if (wrong !== undefined) return { problem: `“${wrong}” is not a path: it must begin with / or *.` };
  if (paths.length > most)
    return { problem: `You entered ${paths.length} paths; at most ${most} are allowed.` };
  return { value: paths };
}

/** The server checks the lines. */
function parseLines(draft: string, most: number): Parsed {
  const lines = linesOf(draft);
  if (lines.length > most)
    return { problem: `You entered ${lines.length} lines; at most ${most} are allowed.` };
  return { value: lines };
}

function linesOf(draft: string): string[] {
  return [...new Set(draft.split("\n").map((line) => line.trim()))].filter(Boolean);
}
