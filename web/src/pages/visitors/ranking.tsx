import { useState } from "preact/hooks";
import { formatPercent } from "../../format/numbers.ts";
import { param } from "../../state/address.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FileLink } from "./file-link.tsx";
import { type FilterName, toggleFilter } from "./question.ts";
import type { ListName, Ranked, Visits } from "./shapes.ts";

/** A column of figures. */
export interface Measure {
  readonly label: string;
  value(item: Ranked): number | undefined;
  format(value: number): string;
  /** What the bars are shares of. */
  readonly total?: number;
}

interface RankingProps {
  readonly list: ListName;
  readonly title: string;
  readonly items: readonly Ranked[];
  readonly measures: readonly Measure[];
  /** What a click on a name filters by; without, names cannot be clicked. */
  readonly filter?: FilterName;
  readonly none: string;
  readonly visits: Visits;
}

const shownAtFirst = 8;

/** Names, the most frequent first, each with its share as a bar behind it. */
export function Ranking({ list, title, items, measures, filter, none, visits }: RankingProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, shownAtFirst);
  return (
    <Panel
      title={title}
      class={`visit-list ${list}`}
      actions={items.length > 0 && <FileLink list={list} name={title.toLowerCase()} visits={visits} />}
    >
      {items.length === 0 ? (
        <p class="hint">{none}</p>
      ) : (
        <table class="ranking">
          <caption class="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span class="visually-hidden">Name</span>
              </th>
              {measures.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((item) => (
              <Row key={item.name} item={item} measures={measures} filter={filter} />
            ))}
          </tbody>
        </table>
      )}
      {items.length > shownAtFirst && (
        <Button look="ghost" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${items.length}`}
        </Button>
      )}
    </Panel>
  );
}

interface RowProps {
  readonly item: Ranked;
  readonly measures: readonly Measure[];
  readonly filter: FilterName | undefined;
}

function Row({ item, measures, filter }: RowProps) {
  const [first] = measures;
  const share = shareOf(item, first);
  const told = first ? `${item.name}: ${formatPercent(share)} of ${first.label.toLowerCase()}` : item.name;
  return (
    <tr>
      <th scope="row">
        <span class="rank-bar" style={{ width: `${share * 100}%` }} aria-hidden />
        {filter === undefined ? (
          <span class="rank-name" title={told}>
            {item.name}
          </span>
        ) : (
          <button
            type="button"
            class="rank-name"
            title={told}
            aria-pressed={param(filter) === item.name}
            onClick={() => toggleFilter(filter, item.name)}
          >
            {item.name}
          </button>
        )}
      </th>
      {measures.map(({ label, value, format }) => {
        const figure = value(item);
        return <td key={label}>{figure === undefined ? "–" : format(figure)}</td>;
      })}
    </tr>
  );
}

function shareOf(item: Ranked, measure: Measure | undefined): number {
  const value = measure?.value(item) ?? 0;
  return measure?.total ? Math.min(1, value / measure.total) : 0;
}
