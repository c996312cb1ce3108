import { formatCount } from "../../format/numbers.ts";
import { Choice } from "../../ui/choice.tsx";
import { chooseKind, chosenKind } from "./question.ts";
import { type Kind, kinds, type Visits } from "./shapes.ts";

export const kindNames: Readonly<Record<Kind, string>> = {
  human: "Humans",
  bot: "Bots",
  ai: "AI crawlers",
};

const meanings: Readonly<Record<Kind, string>> = {
  human: "Browsers, and what calls itself one",
  bot: "Search engines, tools and every other program",
  ai: "What fetches pages for language models",
};

/** People and programs are never counted together. Each with the views that it made. */
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
          <span class="visit-kind-count">
            {formatCount(views)}
            <span class="visually-hidden"> {word}</span>
          </span>
        </>
      ),
    };
  });
  return <Choice name="Who" value={chosenKind()} options={options} onChoose={chooseKind} />;
}
