import { type Kind, kinds } from "../messages.ts";
import { createCountTable, createNames } from "./count-table.ts";

/**
 * Counts of one day in numeric columns. Processing a month of days takes as long as a database query that groups a
 * single one. Kinds are stored as their index in the list of kinds, other words as their index in the list of names.
 */
export interface DayCounts {
  readonly names: readonly string[];
  readonly visits: Columns<(typeof visitColumns)[number]>;
  readonly views: Columns<(typeof viewColumns)[number]>;
}

/** Uses the smallest type for the largest number. */
export type Column = Uint8Array | Uint16Array | Uint32Array;
export type Columns<Name extends string> = Readonly<Record<Name, Column>>;

/** Groups of visitors with the same hours and properties, with their number. */
export const visitColumns = [
  "hours",
  "kind",
  "browser",
  "os",
  "device",
  "referrer",
  "entry",
  "visitors",
  "returned",
  "sessions",
  "bounces",
] as const;

export const viewColumns = ["hour", "kind", "page", "referrer", "browser", "os", "device", "views"] as const;

/** Columns that contain indexes of names. */
const named: ReadonlySet<string> = new Set(["browser", "os", "device", "referrer", "entry", "page"]);

/** Limits per day: rows of either kind, and names of pages and referrers. */
const mostRows = 30_000;
const mostNames = 2_000;

const hoursAt = visitColumns.indexOf("hours");
const viewsAt = viewColumns.indexOf("views");
const detailsAt = (["referrer", "browser", "os", "device"] as const).map((name) => viewColumns.indexOf(name));
const fewViews = 3;

export type Row<Name extends string> = Readonly<Record<Name, string | number>> & { readonly kind: Kind };

export interface DayCounter {
  addVisit(row: Row<(typeof visitColumns)[number]>): void;
  addView(row: Row<(typeof viewColumns)[number]>): void;
  /** Returns the rows as added. */
  take(): DayCounts;
  /** Combines equal rows and removes unused names. Worth the time if the result is stored. */
  compact(): DayCounts;
}

/** Sums the rows of a day in bounded memory. */
export function createDayCounter(most: number = mostRows): DayCounter {
  const names = createNames();
  const visits = createCountTable(names, most, {
    columns: visitColumns,
    keys: 7,
    rare: ["referrer", "entry"],
    agent: ["browser", "os", "device"],
    // Retains only the first of the hours.
    simplify(row) {
      row[hoursAt] = row[hoursAt]! & -row[hoursAt]!;
    },
  });
  const views = createCountTable(names, most, {
    columns: viewColumns,
    keys: 7,
    rare: ["page", "referrer"],
    agent: ["browser", "os", "device"],
    // Rows with few views retain only the page.
    simplify(row, other) {
      if (row[viewsAt]! < fewViews) for (const at of detailsAt) row[at] = other;
    },
  });

  const take = (list = names, rename = (id: number) => id): DayCounts => ({
    visits: toColumns(visitColumns, visits.take(), rename),
    views: toColumns(viewColumns, views.take(), rename),
    names: list.list,
  });

  return {
    addVisit: (row) => visits.add({ ...row, kind: kinds.indexOf(row.kind) }),
    addView: (row) => views.add({ ...row, kind: kinds.indexOf(row.kind) }),
    take: () => take(),
    compact() {
      visits.join(mostNames);
      views.join(mostNames);
      const used = createNames();
      return take(used, (id) => used.id(names.list[id]!));
    },
  };
}

function toColumns<Name extends string>(
  names: readonly Name[],
  rows: readonly (readonly number[])[],
  rename: (id: number) => number,
): Columns<Name> {
  const columns = names.map((name, at) => {
    const numbers = rows.map((row) => (named.has(name) ? rename(row[at]!) : row[at]!));
    return [name, toColumn(numbers)];
  });
  return Object.fromEntries(columns);
}

function toColumn(values: readonly number[]): Column {
  const greatest = values.reduce((most, value) => Math.max(most, value), 0);
  if (greatest < 2 ** 8) return Uint8Array.from(values);
  return greatest < 2 ** 16 ? Uint16Array.from(values) : Uint32Array.from(values);
}
