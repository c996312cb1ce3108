import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface Column<Row> {
  readonly name: string;
  readonly label: string;
  /** What a cell shows. */
  cell(row: Row): ComponentChildren;
  /** What it is sorted by; a column without cannot be. */
  sortBy?(row: Row): number | string | undefined;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  /** On a phone, where a row becomes a card: left out. */
  readonly isMinor?: boolean;
  /** The column that names the row. */
  readonly isHead?: boolean;
}

interface TableProps<Row> {
  /** What the table shows, for those who cannot see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  /** The column by which it is sorted at first, with a minus before it for the largest first. */
  readonly sort?: string;
  /** Shown in place of the rows when there are none. */
  readonly empty?: ComponentChildren;
  classOf?(row: Row): string;
}

/** A table that can be sorted. On a phone each row becomes a card. */
export function Table<Row>({ caption, columns, rows, keyOf, sort, empty, classOf }: TableProps<Row>) {
  const [order, setOrder] = useState(sort ?? "");
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <table class="table">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <Heading key={column.name} column={column} order={order} onOrder={setOrder} />
          ))}
        </tr>
      </thead>
      <tbody>
        {sorted(rows, columns, order).map((row) => (
          <tr key={keyOf(row)} class={classOf?.(row) ?? ""}>
            {columns.map((column) => (
              <Cell key={column.name} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly order: string;
  onOrder(order: string): void;
}

function Heading<Row>({ column, order, onOrder }: HeadingProps<Row>) {
  const { name, label, isNumber, sortBy } = column;
  const direction = order === name ? "ascending" : order === `-${name}` ? "descending" : undefined;
  // The first press shows the largest number, or the first name.
  const first = isNumber ? `-${name}` : name;
  const next = order === first ? (isNumber ? name : `-${name}`) : first;
  return (
    <th scope="col" class={isNumber ? "number" : ""} {...(direction && { "aria-sort": direction })}>
      {sortBy ? (
        <button type="button" class="sort" onClick={() => onOrder(next)}>
          {label}
          <span class="sort-mark" aria-hidden>
            {direction === undefined ? "↕" : direction === "ascending" ? "↑" : "↓"}
          </span>
        </button>
      ) : (
        label
      )}
    </th>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { label, isNumber, isMinor, isHead, cell } = column;
  const look = [isNumber && "number", isMinor && "minor", isHead && "head"].filter(Boolean).join(" ");
  if (isHead) {
    return (
      <th scope="row" class={look}>
        {cell(row)}
      </th>
    );
  }
  return (
    <td class={look} data-label={label}>
      {cell(row)}
    </td>
  );
}

function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: string): readonly Row[] {
  const descends = order.startsWith("-");
  const { sortBy } = columns.find(({ name }) => name === order.replace(/^-/, "")) ?? {};
  if (!sortBy) return rows;
  return [...rows].sort((one, other) => {
    const [a, b] = [sortBy(one), sortBy(other)];
    // What has no value comes last, whichever way.
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    const difference =
      typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    return descends ? -difference : difference;
  });
}
