import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface Column<Row> {
  readonly name: string;
  readonly label: string;
  cell(row: Row): ComponentChildren;
  /** The sort key; a column without one is not sortable. */
  sortBy?(row: Row): number | string | undefined;
  /** Numbers are right-aligned. */
  readonly isNumber?: boolean;
  /** Omitted on a phone, where rows become cards. */
  readonly isMinor?: boolean;
  /** Omitted if the window is narrower than this, in pixels, and rows are not cards. */
  readonly dropsBelow?: 1200 | 960;
  /** The column with the row header. */
  readonly isHead?: boolean;
}

interface TableProps<Row> {
  /** The content of the table, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  /** The initial sort column; a leading minus sorts in descending order. */
  readonly sort?: string;
  /** Shown if there are no rows. */
  readonly empty?: ComponentChildren;
  classOf?(row: Row): string;
}

/** A sortable table. On a phone, each row becomes a card. */
export function Table<Row>({ caption, columns, rows, keyOf, sort, empty, classOf }: TableProps<Row>) {
  const [order, setOrder] = useState(sort ?? "");
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <table class="table">
      <caption class="visually-hidden">{caption}</caption>
      <thead class="phone-hidden">
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
  const { name, label, isNumber, sortBy, dropsBelow } = column;
  const direction = order === name ? "ascending" : order === `-${name}` ? "descending" : undefined;
  // The first click sorts numbers in descending and names in ascending order.
  const first = isNumber ? `-${name}` : name;
  const next = order === first ? (isNumber ? name : `-${name}`) : first;
  return (
    <th
      scope="col"
      class={[isNumber && "number", dropsBelow && `drop-${dropsBelow}`].filter(Boolean).join(" ")}
      {...(direction && { "aria-sort": direction })}
    >
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
  const { label, isNumber, isMinor, isHead, dropsBelow, cell } = column;
  const drop = dropsBelow && `drop-${dropsBelow}`;
  const look = [isNumber && "number", isMinor && "minor", isHead && "head", drop].filter(Boolean).join(" ");
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
    // Rows without a value come last in either order.
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    const difference =
      typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    return descends ? -difference : difference;
  });
}
