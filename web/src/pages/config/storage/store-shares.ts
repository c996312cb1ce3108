import type { Storage, StoragePart } from "../../../../../src/features/settings/wire.ts";
import type { Colour } from "../../../charts/colours.ts";

/** Stored data, grouped by purpose. */

export type StoreName = "logs" | "metrics" | "visitors" | "jobs" | "rest" | "own";

export interface StoreShare {
  readonly name: StoreName;
  readonly title: string;
  readonly colour: Colour;
  readonly bytes: number;
  /** The files or tables. */
  readonly parts: readonly StoragePart[];
}

/** Prefixes of file or table names, by purpose; the first match wins. */
const beginnings: Readonly<Record<Storage["engine"], readonly (readonly [string, StoreName])[]>> = {
  sqlite: [
    ["logs.db", "logs"],
    ["metrics.db", "metrics"],
    ["", "rest"],
  ],
  postgres: [
    ["annex_log", "logs"],
    ["annex_metric", "metrics"],
    ["annex_error", "metrics"],
    ["annex_visitor", "visitors"],
    ["annex_cron", "jobs"],
    ["annex_", "rest"],
    ["", "own"],
  ],
};

const looks: Readonly<Record<StoreName, readonly [title: string, colour: Colour]>> = {
  logs: ["Log records", "blue"],
  metrics: ["Metrics and errors", "teal"],
  visitors: ["Visitors", "violet"],
  jobs: ["Jobs and their logs", "amber"],
  rest: ["Accounts, access log, settings, audit log", "pink"],
  own: ["The application's own tables", "grey"],
};

/** A SQLite file contains several tables, so its title is more general. */
const titlesInFiles: Partial<Record<StoreName, string>> = {
  metrics: "Metrics, errors and visitors",
  rest: "Jobs, accounts, access log, settings, and the application's own tables",
};

function storeOf(engine: Storage["engine"], { name }: StoragePart): StoreName {
  return beginnings[engine].find(([beginning]) => name.startsWith(beginning))![1];
}

export function sharesOf({ engine, parts }: Storage): readonly StoreShare[] {
  const byStore = Map.groupBy(parts, (part) => storeOf(engine, part));
  const shares = [...byStore].map(([name, found]) => {
    const [title, colour] = looks[name];
    return {
      name,
      colour,
      title: (engine === "sqlite" && titlesInFiles[name]) || title,
      bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
      parts: found,
    };
  });
  // Like the table, which the bar is next to.
  return shares.sort((one, other) => other.bytes - one.bytes);
}

export function sumOf(storage: Storage, name: StoreName): number {
  return sharesOf(storage).find((share) => share.name === name)?.bytes ?? 0;
}
