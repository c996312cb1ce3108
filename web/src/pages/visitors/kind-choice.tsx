import type { Kind, Visits } from "../../../../src/features/visitors/wire.ts";
import { formatCount } from "../../format/numbers.ts";
import { Choice } from "../../ui/controls/choice.tsx";
import { chooseKind, chosenKind, kinds } from "./filter-params.ts";

export const kindNames: Readonly<Record<Kind, string>> = {
  human: "Humans",
  bot: "Bots",
  ai: "AI crawlers",
};

const meanings: Readonly<Record<Kind, string>> = {
  human: "Browsers, and programs that identify as one",
  bot: "Search engines, tools and every other program",
  ai: "Crawlers that fetch pages for language models",
};

/** Selects people or programs, which are never counted together, with the views of each. */
export function KindChoice({ counts }: { counts: Visits["kinds"] }) {
  const options = kinds.map((kind) => {
    const { views = 0 } = counts.find((each) => each.kind === kind) ?? {};
    const word = views === 1 ? "view" : "views";
    return {
      value: kind,
      title: `${meanings[kind]}: ${formatCount(views)} ${word}`,
      label: (
        <>
          {kindNames[kind]}
          <span class="count">
            {formatCount(views)}
            <span class="visually-hidden"> {word}</span>
          </span>
        </>
      ),
    };
  });
  return <Choice name="Who" value={chosenKind()} options={options} onChoose={chooseKind} />;
}
