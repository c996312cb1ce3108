import { sql, type Transaction } from "kysely";
import type { Database } from "../../../../storage/index.ts";
import type { CronTables } from "../../tables.ts";
import { packOutput } from "../packed-output.ts";

/** A transaction that writes runs. */
export interface Writing {
  readonly trx: Transaction<CronTables>;
  readonly engine: Database["engine"];
}

/** Both engines need to know the types of values that stand for a table. */
export const asText = (value: string) => sql`cast(${value} as text)`;
export const asInteger = (value: number) => sql`cast(${value} as bigint)`;
export const asReal = (value: number | null) => sql`cast(${value} as double precision)`;

/** Not cast to text on SQLite, where an output may be stored as bytes. */
export const asOutput = (engine: Writing["engine"], json: string) =>
  engine === "postgres" ? asText(json) : sql`${packOutput(engine, json)}`;

/** All instances write in the same order, to avoid deadlocks. */
export function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
