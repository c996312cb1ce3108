import type { AccessSummary } from "../../../../src/features/access/wire.ts";
import { formatCount } from "../../format/numbers.ts";
import { Icon } from "../../ui/icon.tsx";
import { chosenKinds, toggleKind } from "./filter-params.ts";
import { kindLooks, kinds } from "./kinds.ts";

/** The kinds of events in this window with their counts. If none is selected, all are listed. */
export function KindChips({ summary }: { summary: AccessSummary }) {
  const chosen = chosenKinds();
  const shown = kinds.filter((kind) => summary.kinds[kind] > 0 || chosen.includes(kind));
  if (shown.length === 0) return null;
  return (
    <fieldset class="actions">
      <legend class="visually-hidden">Kinds</legend>
      {shown.map((kind) => {
        const { word, icon, tone } = kindLooks[kind];
        return (
          <button
            key={kind}
            type="button"
            class="chip"
            aria-pressed={chosen.includes(kind)}
            onClick={() => toggleKind(kind)}
          >
            <span class={`row inline ${tone}`}>
              <Icon name={icon} />
            </span>
            {word}
            <b>{formatCount(summary.kinds[kind])}</b>
          </button>
        );
      })}
    </fieldset>
  );
}
