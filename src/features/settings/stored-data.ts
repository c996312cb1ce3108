import type { StoreState } from "../../feature/index.ts";
import { capitalize } from "../../lib/text/capitalize.ts";
import { dayMs, hourMs } from "../../lib/time/units.ts";
import {
  type DatabaseSize,
  type Engine,
  fileOf,
  hasTable,
  isInMainFile,
  listContents,
  type Retention,
  type Store,
} from "../../storage/index.ts";
import type * as wire from "./wire.ts";

/** The unit and the current value of options, by name. */
export type FindOption = (name: string) => { readonly unit?: string | undefined; readonly value: unknown };

interface Row extends Pick<wire.StoredData, "name" | "title" | "owner"> {
  readonly stores: readonly Store[];
  /** Whether a file or table belongs to it. */
  has(part: string): boolean;
}

/** Describes stored data by purpose: a row for each file of SQLite, or for each large store of PostgreSQL. */
export function describeStores(
  stores: readonly Store[],
  engine: Engine,
  { parts }: DatabaseSize,
  findOption: FindOption,
  states: readonly StoreState[] = [],
): wire.StoredData[] {
  const rows = engine === "sqlite" ? listFiles(stores) : listTables(stores);
  const found = Map.groupBy(parts, ({ name }) => rows.find((row) => row.has(name)));
  return rows.flatMap((row) => {
    const own = found.get(row);
    return own === undefined ? [] : [{ ...describeRow(row, own, findOption), ...describeState(row, states) }];
  });
}

function listFiles(stores: readonly Store[]): Row[] {
  const files = Map.groupBy(
    stores.filter((store) => !isInMainFile(store)),
    fileOf,
  );
  const others = stores.filter(isInMainFile);
  return [
    ...[...files].map(
      ([file, own]): Row => ({
        name: own[0]!.name,
        title: capitalize(listContents(own)),
        owner: "store",
        stores: own,
        // With its write-ahead log.
        has: (part) => part.startsWith(file),
      }),
    ),
    {
      name: "rest",
      title: capitalize(listContents(others, applicationTables)),
      owner: "others",
      stores: others,
      has: () => true,
    },
  ];
}

const applicationTables = "the application's own tables";

function listTables(stores: readonly Store[]): Row[] {
  const others = stores.filter(({ isLarge }) => !isLarge);
  return [
    ...stores
      .filter(({ isLarge }) => isLarge)
      .map(
        (store): Row => ({
          name: store.name,
          title: capitalize(listContents([store])),
          owner: "store",
          stores: [store],
          has: (table) => hasTable(store, table),
        }),
      ),
    {
      name: "rest",
      title: capitalize(listContents(others)),
      owner: "others",
      stores: others,
      has: (table) => table.startsWith("annex_"),
    },
    {
      name: "own",
      title: capitalize(applicationTables),
      owner: "application",
      stores: [],
      has: () => true,
    },
  ];
}

function describeState({ stores }: Row, states: readonly StoreState[]) {
  const own = states.filter(({ store }) => stores.some(({ name }) => name === store));
  const removing = own.flatMap((state) => state.removing ?? []);
  const early = own.flatMap((state) => state.early ?? []);
  return { ...(removing.length > 0 && { removing }), ...(early.length > 0 && { early }) };
}

function describeRow(
  { name, title, owner, stores }: Row,
  parts: DatabaseSize["parts"],
  findOption: FindOption,
): wire.StoredData {
  const free = parts.flatMap((part) => part.free ?? []);
  const limited = stores.find(({ limit }) => limit !== undefined);
  return {
    name,
    title,
    owner,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(free.length > 0 && { free_bytes: free.reduce((sum, bytes) => sum + bytes, 0) }),
    parts: parts.map((part) => part.name),
    ...(limited?.limit && {
      limit: {
        store: limited.name,
        max_bytes: Number(findOption(limited.limit.option).value) * 1_000_000,
        ...(limited.limit.of !== undefined && { of: limited.limit.of }),
      },
    }),
    retention: stores.flatMap((store) =>
      (store.retention ?? []).map((each) =>
        describeRetention(each, stores.length === 1 ? undefined : listContents([store]), findOption),
      ),
    ),
  };
}

function describeRetention(
  retention: Retention,
  contents: string | undefined,
  findOption: FindOption,
): wire.StoredTime {
  const { of = contents, note } = retention;
  const about = { ...(of !== undefined && { of }), ...(note !== undefined && { note }) };
  if ("words" in retention) return { ...about, words: retention.words };
  const { option, requires } = retention;
  if (requires !== undefined && findOption(requires).value === false)
    return { words: `not stored: ${requires} is off` };
  const { unit, value } = findOption(option);
  return { ...about, option, ms: Number(value) * (unit === "days" ? dayMs : hourMs) };
}
