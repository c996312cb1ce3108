import {
  type ColumnType,
  DummyDriver,
  type Generated,
  Kysely,
  type Selectable,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

export interface SiteTable {
  id: Generated<number>;
  name: string;
  city: string;
}

export interface DeviceTable {
  id: Generated<number>;
  serial: string;
  model: string;
  status: "online" | "offline" | "retired";
  site_id: number | null;
  firmware: string | null;
  registered_at: ColumnType<Date, string | undefined, never>;
}

export interface ReadingTable {
  id: Generated<number>;
  device_id: number;
  metric: string;
  value: number;
  taken_at: ColumnType<Date, string, never>;
}

export interface Database {
  site: SiteTable;
  device: DeviceTable;
  reading: ReadingTable;
}

export type Device = Selectable<DeviceTable>;

export const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
