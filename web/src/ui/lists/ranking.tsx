import "./ranking.css";
import type { Colour } from "../../charts/colours.ts";

/** A name with its values; the first value determines the rank. */
export interface RankedRow {
  readonly name: string;
  /** The length of the bar, from 0 to 1. */
  readonly share: number;
  /** The share as text. */
  readonly title: string;
  readonly values: readonly string[];
  readonly isPressed?: boolean;
  /** If absent, the name is not a button. */
  readonly onPress?: (() => void) | undefined;
}

interface RankingTableProps {
  readonly caption: string;
  /** One per value. */
  readonly labels: readonly string[];
  readonly rows: readonly RankedRow[];
  readonly colour?: Colour;
}

/** Names, most frequent first, each with its share as a bar in the background. */
export function RankingTable({ caption, labels, rows, colour = "blue" }: RankingTableProps) {
  return (
    <table class={`ranking ${colour}`}>
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">Name</span>
          </th>
          {labels.map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">
              <span class="rank-bar" style={{ width: `${row.share * 100}%` }} aria-hidden />
              <Name row={row} />
            </th>
            {row.values.map((value, index) => (
              <td key={labels[index]}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Name({ row: { name, title, isPressed = false, onPress } }: { row: RankedRow }) {
  if (!onPress) {
    return (
      <span class="rank-name ellipsis" title={title}>
        {name}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="rank-name plain-link ellipsis"
      title={title}
      aria-pressed={isPressed}
      onClick={onPress}
    >
      {name}
    </button>
  );
}
