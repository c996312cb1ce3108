import type { ColumnDataType, Expression, Kysely, Transaction } from "kysely";
import type { DatabaseFault } from "./faults.ts";

export type Engine = "sqlite" | "postgres";

/** Tables of any name and shape: what a migration and the inside of this folder work on. */
export type UntypedTables = Record<string, Record<string, unknown>>;

type ColumnType = ColumnDataType | Expression<unknown>;

/** The engine's names for the column types that both engines read back alike. There are no booleans: use 0 and 1. */
export interface ColumnTypes {
  /** 64 bits, read as a number, so exact up to 2⁵³. */
  readonly integer: ColumnType;
  /** A 64-bit key that the engine counts up by itself; only for a primary key. */
  readonly serial: ColumnType;
  /** A double. */
  readonly real: ColumnType;
  /** Unicode without U+0000, compared and sorted by its bytes. */
  readonly text: ColumnType;
  /** Bytes, read as a Buffer. */
  readonly blob: ColumnType;
}

/** What a database takes on the disk, in all and by what it consists of: files on SQLite, tables on PostgreSQL. */
export interface DatabaseSize {
  readonly bytes: number;
  /** The largest first; a hundred at most. */
  readonly parts: readonly { readonly name: string; readonly bytes: number }[];
}

/** What `sqlite/` and `postgres/` each provide; everything above them is written once. */
export interface OpenEngine {
  readonly engine: Engine;
  readonly columnTypes: ColumnTypes;
  readonly query: Kysely<UntypedTables>;
  /**
   * Called first in the transaction that migrates: returns once no other instance is migrating, and keeps them out
   * until the transaction ends.
   */
  enterMigration(trx: Transaction<UntypedTables>): Promise<void>;
  /** Runs the work on a connection that waits for a response as long as it takes. */
  withoutTimeout<R>(work: (query: Kysely<UntypedTables>) => Promise<R>): Promise<R>;
  size(): Promise<DatabaseSize>;
  /** The last fault, until a write succeeds. */
  problem(): DatabaseFault | undefined;
  /** Rejects if the engine already knows that a write would fail. */
  inspect(): Promise<void>;
  /** Closes every connection, even if the server does not respond. */
  close(): Promise<void>;
}
