import type { LogVolume } from "../../../../src/features/logging/wire.ts";
import { formatCount } from "../../format/numbers.ts";
import { type Level, levels, parseQuery, recordWords } from "../../query-bar/parse.ts";
import { setToken } from "../../query-bar/tokens.ts";
import { totalOf } from "./volume-chart.tsx";

const chips = {
  debug: { word: "Debug", number: "−4" },
  info: { word: "Info", number: "0" },
  warn: { word: "Warn", number: "4" },
  error: { word: "Error", number: "8" },
} as const satisfies Record<Level, object>;

interface LevelChipsProps {
  readonly q: string;
  readonly volume: LogVolume | undefined;
  onSearch(text: string): void;
}

/** Toggles for levels; with none selected, all are shown. They edit the level in the query. */
export function LevelChips({ q, volume, onSearch }: LevelChipsProps) {
  const chosen = parseQuery(q, recordWords).filter.levels ?? [];
  function toggle(level: Level): void {
    const next = levels.filter((each) => (each === level) !== chosen.includes(each));
    const isAll = next.length === 0 || next.length === levels.length;
    onSearch(setToken(q, "level", isAll ? undefined : next.join()));
  }
  return (
    <fieldset class="level-chips actions">
      <legend class="visually-hidden">Levels</legend>
      {levels.map((level) => (
        <button
          key={level}
          type="button"
          class={`chip level-chip ${level}`}
          aria-pressed={chosen.includes(level)}
          title={`Level ${chips[level].number}`}
          onClick={() => toggle(level)}
        >
          {chips[level].word}
          <b>{volume ? formatCount(totalOf(volume, level)) : "–"}</b>
        </button>
      ))}
    </fieldset>
  );
}
