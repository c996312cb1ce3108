import {
  type ColumnType,
  DummyDriver,
  type Generated,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

interface TicketTable {
  id: Generated<number>;
  subject: string;
  requester: string;
  priority: "low" | "normal" | "high";
  state: Generated<"open" | "closed">;
  created_at: ColumnType<Date, never, never>;
  closed_at: ColumnType<Date | null, never, Date>;
}

interface Database {
  ticket: TicketTable;
}

export const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
