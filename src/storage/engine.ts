import type { ColumnDataType, Expression, Kysely, Transaction } from "kysely";
import type { DatabaseFault } from "./faults.ts";

export type Engine = "sqlite" | "postgres";

/** Tables of any name and shape, for migrations and internal use. */
export type UntypedTables = Record<string, Record<string, unknown>>;

type ColumnType = ColumnDataType | Expression<unknown>;

/** Column types that behave the same on both engines. Booleans are not supported; use 0 and 1. */
export interface ColumnTypes {
  /** 64-bit integer, read as a number: exact up to 2⁵³. */
  readonly integer: ColumnType;
  /** Auto-incremented 64-bit primary key. */
  readonly serial: ColumnType;
  /** Double precision. */
  readonly real: ColumnType;
  /** Unicode without U+0000, compared and sorted by bytes. */
  readonly text: ColumnType;
  /** Bytes, read as a Buffer. */
  readonly blob: ColumnType;
}

export interface DatabasePart {
  readonly name: string;
  readonly bytes: number;
  /** How much of it contains no data. SQLite only. */
  readonly free?: number;
}

/** Disk usage of a database, in total and by part: files on SQLite, tables on PostgreSQL. */
export interface DatabaseSize {
  readonly bytes: number;
  /** Largest first, at most 100. */
  readonly parts: readonly DatabasePart[];
}

/** Implemented by `sqlite/` and `postgres/`. */
export interface OpenEngine {
  readonly engine: Engine;
  readonly columnTypes: ColumnTypes;
  readonly query: Kysely<UntypedTables>;
  /** For queries that can take long. */
  readonly reader: Kysely<UntypedTables>;
  /** Runs `work` in a transaction without timeouts, while no other instance migrates. */
  migrate<R>(work: (trx: Transaction<UntypedTables>) => Promise<R>): Promise<R>;
  size(): Promise<DatabaseSize>;
  /** Returns some free space to the file system. Resolves with whether there may be more. */
  release(): Promise<boolean>;
  /** The last fault; cleared by a successful write. */
  problem(): DatabaseFault | undefined;
  /** Rejects if the engine already knows that a write would fail. */
  inspect(): Promise<void>;
  /** Closes all connections, even if the server does not respond. */
  close(): Promise<void>;
}
