import { other } from "../names.ts";

/** Maps names to numbers, in order of first use. */
export interface Names {
  readonly list: readonly string[];
  id(name: string): number;
}

export function createNames(): Names {
  const list: string[] = [];
  const ids = new Map<string, number>();
  return {
    list,
    id(name) {
      const known = ids.get(name);
      if (known !== undefined) return known;
      ids.set(name, list.length);
      return list.push(name) - 1;
    },
  };
}

export interface Shape<Name extends string> {
  /** Key columns, followed by columns that are summed. The first summed column is the weight of a row. */
  readonly columns: readonly Name[];
  readonly keys: number;
  /** Columns in which only frequent names are retained if there are too many rows. */
  readonly rare: readonly Name[];
  /** Columns that are dropped if there are still too many rows. */
  readonly agent: readonly Name[];
  /** Removes the least important details of a row; `other` replaces removed names. */
  simplify(row: number[], other: number): void;
}

/** A table that sums rows with equal keys. It never has more than twice the maximum number of rows. */
export interface CountTable<Name extends string> {
  add(row: Readonly<Record<Name, string | number>>): void;
  /** Combines rows with equal keys and retains at most `mostNames` names in each rare column. */
  join(mostNames: number): void;
  /** Returns the rows, at most the maximum number. */
  take(): readonly (readonly number[])[];
}

/** Steps of detail reduction: fewer names in rare columns, then simpler rows. */
const levels = [
  { names: 1_000 },
  { names: 1_000, isSimple: true },
  { names: 300, isSimple: true },
  { names: 100, isSimple: true },
  { names: 30, isSimple: true },
  { names: 10, isSimple: true },
  { names: 0, isSimple: true },
  { names: 0, isSimple: true, isWithoutAgent: true },
];

export function createCountTable<Name extends string>(
  names: Names,
  mostRows: number,
  { columns, keys, rare, agent, simplify }: Shape<Name>,
): CountTable<Name> {
  const otherId = names.id(other);
  const places = (wanted: readonly Name[]) => wanted.map((name) => columns.indexOf(name));
  let rows: number[][] = [];
  let level = 0;

  function add(row: Readonly<Record<Name, string | number>>): void {
    const numbers = columns.map((name) => {
      const value: string | number = row[name];
      return typeof value === "string" ? names.id(value) : value;
    });
    rows.push(numbers);
    if (rows.length >= mostRows * 2) shrink();
  }

  function joinAlike(): void {
    const joined = new Map<string, number[]>();
    for (const row of rows) {
      const key = row.slice(0, keys).join();
      const same = joined.get(key);
      if (same === undefined) joined.set(key, row);
      else for (let at = keys; at < row.length; at++) same[at]! += row[at]!;
    }
    rows = [...joined.values()];
  }

  /** Reduces details until there are few enough rows. In the last step, one row per hour and kind remains. */
  function shrink(): void {
    joinAlike();
    while (rows.length > mostRows) {
      coarsen();
      joinAlike();
      if (level === levels.length - 1 || rows.length <= mostRows) return;
      level++;
    }
  }

  function coarsen(): void {
    const { names, isSimple, isWithoutAgent } = levels[level]!;
    rows.forEach(keepFrequent(names));
    if (isSimple) for (const row of rows) simplify(row, otherId);
    if (isWithoutAgent) rows.forEach(withoutAgent);
  }

  function keepFrequent(count: number): (row: number[]) => void {
    const kept = places(rare).map((at) => ({ at, ids: frequent(at, count) }));
    return (row) => {
      for (const { at, ids } of kept) if (!ids.has(row[at]!)) row[at] = otherId;
    };
  }

  function frequent(at: number, count: number): Set<number> {
    const weights = new Map<number, number>();
    for (const row of rows) weights.set(row[at]!, (weights.get(row[at]!) ?? 0) + row[keys]!);
    const heaviest = [...weights].sort(([, one], [, another]) => another - one).slice(0, count);
    return new Set(heaviest.map(([id]) => id));
  }

  function withoutAgent(row: number[]): void {
    for (const at of places(agent)) row[at] = otherId;
  }

  return {
    add,
    join(mostNames) {
      rows.forEach(keepFrequent(mostNames));
      shrink();
    },
    take() {
      if (rows.length > mostRows) shrink();
      return rows;
    },
  };
}
