import { joinWords } from "../lib/text/join-words.ts";
import { mainFile } from "./data-dir.ts";
import type { MigrationSet } from "./migrator.ts";

/**
 * Data that belongs together. Migrations, backups, the Storage page and the documentation read this declaration.
 *
 * ```ts
 * const noteStore: Store = {
 *   name: "notes",
 *   contents: ["notes"],
 *   tables: ["annex_notes"],
 *   migrations: readMigrations("notes", new URL("./migrations/", import.meta.url)),
 *   retention: [{ option: "notes.retentionDays" }],
 * };
 * ```
 */
export interface Store {
  readonly name: string;
  /** What it contains, for users. Empty if they need not know. */
  readonly contents: readonly string[];
  /** The names of all its tables. A `*` at the end matches any characters. */
  readonly tables: readonly string[];
  readonly migrations: MigrationSet;
  /** A file beside `annex.db`. Backups can leave it out: `logs.db` with `--without-logs`. */
  readonly file?: string;
  /** Whether the Storage page shows its tables in a row of their own. */
  readonly isLarge?: boolean;
  /** How long its data is stored. Absent if it is never deleted. */
  readonly retention?: readonly Retention[];
  readonly limit?: StoreLimit;
}

/** How long some data is stored. */
export type Retention = {
  /** Default: everything in the store. */
  readonly of?: string;
  /** Other limits, as the end of the sentence. */
  readonly note?: string;
} & (
  | {
      /** The option with the time, in its unit. */
      readonly option: string;
      /** The option that must be on for data to be stored at all. */
      readonly requires?: string;
    }
  | {
      /** A fixed time in words, such as "for a year". */
      readonly words: string;
    }
);

/** The maximum size of a store. */
export interface StoreLimit {
  /** The option with the size, in megabytes. */
  readonly option: string;
  /** What the limit applies to, if that is only a part. */
  readonly of?: string;
}

/** The file of a store, unless all tables are in a shared database. */
export function fileOf({ file = mainFile }: Pick<Store, "file">): string {
  return file;
}

export function isInMainFile(store: Pick<Store, "file">): boolean {
  return fileOf(store) === mainFile;
}

/** The files beside `annex.db`, each with its stores. */
export function separateFiles(stores: readonly Store[]): Map<string, readonly Store[]> {
  return Map.groupBy(
    stores.filter((store) => !isInMainFile(store)),
    fileOf,
  );
}

/** What the stores contain, in words: "metrics and errors". */
export function listContents(stores: readonly Pick<Store, "contents">[], ...others: string[]): string {
  return joinWords([...stores.flatMap(({ contents }) => contents), ...others]);
}

/** Whether a table belongs to the store. */
export function hasTable({ tables }: Pick<Store, "tables">, table: string): boolean {
  return tables.some((name) => (name.endsWith("*") ? table.startsWith(name.slice(0, -1)) : table === name));
}

/** Words for a fixed time: "for 400 days", "for a year". */
export function forDays(days: number): string {
  return days === 365 ? "for a year" : `for ${days} days`;
}
