import { useState } from "preact/hooks";
import type { FilterName, Lists, Ranked, Visits } from "../../../../src/features/visitors/wire.ts";
import { formatPercent } from "../../format/numbers.ts";
import { param } from "../../state/address.ts";
import { Button } from "../../ui/controls/button.tsx";
import { type RankedRow, RankingTable } from "../../ui/lists/ranking.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FileLink } from "./file-link.tsx";
import { toggleFilter } from "./filter-params.ts";

/** A column of values. */
export interface Measure {
  readonly label: string;
  value(item: Ranked): number | undefined;
  format(value: number): string;
  /** The total that the bars are shares of. */
  readonly total?: number;
}

interface RankingProps {
  readonly list: keyof Lists;
  readonly title: string;
  readonly items: readonly Ranked[];
  readonly measures: readonly Measure[];
  /** The filter that a click on a name sets; if absent, names are not clickable. */
  readonly filter?: FilterName;
  readonly none: string;
  readonly visits: Visits;
}

const shownAtFirst = 8;

/** Names, most frequent first, each with its share as a bar in the background. */
export function Ranking({ list, title, items, measures, filter, none, visits }: RankingProps) {
  const [isWhole, setWhole] = useState(false);
  const largest = Math.max(0, ...items.map((item) => measures[0]?.value(item) ?? 0));
  const shown = isWhole ? items : items.slice(0, shownAtFirst);
  return (
    <Panel
      title={title}
      class={`visit-list gap-4 ${list}`}
      actions={items.length > 0 && <FileLink list={list} name={title.toLowerCase()} visits={visits} />}
    >
      {items.length === 0 ? (
        <p class="hint">{none}</p>
      ) : (
        <RankingTable
          caption={title}
          labels={measures.map(({ label }) => label)}
          rows={shown.map((item) => toRow(item, { measures, filter, largest }))}
        />
      )}
      {items.length > shownAtFirst && (
        <Button look="ghost" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${items.length}`}
        </Button>
      )}
    </Panel>
  );
}

interface RowContext {
  readonly measures: readonly Measure[];
  readonly filter: FilterName | undefined;
  /** The bars are relative to this value. */
  readonly largest: number;
}

function toRow(item: Ranked, { measures, filter, largest }: RowContext): RankedRow {
  const { name } = item;
  const [first] = measures;
  const share = shareOf(item, first);
  return {
    name,
    share: largest === 0 ? 0 : (first?.value(item) ?? 0) / largest,
    title: first ? `${name}: ${formatPercent(share)} of ${first.label.toLowerCase()}` : name,
    values: measures.map(({ value, format }) => {
      const amount = value(item);
      return amount === undefined ? "–" : format(amount);
    }),
    isPressed: filter !== undefined && param(filter) === name,
    onPress: filter && (() => toggleFilter(filter, name)),
  };
}

function shareOf(item: Ranked, measure: Measure | undefined): number {
  const value = measure?.value(item) ?? 0;
  return measure?.total ? Math.min(1, value / measure.total) : 0;
}
