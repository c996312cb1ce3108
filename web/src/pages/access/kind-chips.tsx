import { formatCount } from "../../format/numbers.ts";
import { Icon } from "../../ui/icon.tsx";
import { kindLooks } from "./kinds.ts";
import { chosenKinds, toggleKind } from "./question.ts";
import { type AccessSummary, kinds } from "./shapes.ts";

/** The kinds of events in this window with their counts. If none is selected, all are listed. */
export function KindChips({ summary }: { summary: AccessSummary }) {
  const chosen = chosenKinds();
  const shown = kinds.filter((kind) => summary.kinds[kind] > 0 || chosen.includes(kind));
  if (shown.length === 0) return null;
  return (
    <fieldset class="kind-chips">
      <legend class="visually-hidden">Kinds</legend>
      {shown.map((kind) => {
        const { word, icon, tone } = kindLooks[kind];
        return (
          <button
            key={kind}
            type="button"
            class={`kind-chip ${tone}`}
            aria-pressed={chosen.includes(kind)}
            onClick={() => toggleKind(kind)}
          >
            <Icon name={icon} />
            <span>{word}</span>
            <b>{formatCount(summary.kinds[kind])}</b>
          </button>
        );
      })}
    </fieldset>
  );
}
