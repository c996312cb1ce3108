/**
 * Preloaded with `--import` into a process and its threads: writes the queries of SQLite, and the names of the query
 * parameters that are read, to the file `ANNEX_RECORD`, one JSON per line.
 */
import { openSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { isMainThread } from "node:worker_threads";
import Sqlite, { type Statement } from "better-sqlite3";

export interface ExecutedQuery {
  /** Whether it blocked the event loop of the application. */
  readonly isMain: boolean;
  readonly file: string;
  readonly sql: string;
  readonly values: readonly unknown[];
}

export type Entry = ExecutedQuery | { readonly parameter: string };

const output = openSync(process.env.ANNEX_RECORD!, "a");
const write = (entry: Entry) => void writeSync(output, `${JSON.stringify(entry)}\n`);

const memory = new Sqlite(":memory:");
const statements: Statement = Object.getPrototypeOf(memory.prepare("select 1"));
for (const name of ["all", "get", "iterate"] as const) {
  const original = statements[name] as (...values: unknown[]) => unknown;
  statements[name] = function record(this: Statement, ...values: unknown[]) {
    const { source: sql, database } = this;
    if (/^\s*(select|with)\b/i.test(sql) && database !== memory)
      write({ isMain: isMainThread, file: basename(database.name), sql, values: values.flat() });
    return original.apply(this, values);
  } as never;
}

for (const name of ["get", "getAll"] as const) {
  const original = URLSearchParams.prototype[name] as (name: string) => unknown;
  URLSearchParams.prototype[name] = function record(this: URLSearchParams, parameter: string) {
    write({ parameter });
    return original.call(this, parameter);
  } as never;
}
