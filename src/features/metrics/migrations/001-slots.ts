import type { Migration } from "../../../storage/index.ts";

export const up: Migration["up"] = async (db, { text, integer, blob, serial }) => {
  const { schema } = db;
  await schema
    .createTable("annex_metric_slots")
    .addColumn("level", integer, (column) => column.notNull())
    .addColumn("time", integer, (column) => column.notNull())
    .addColumn("instance", text, (column) => column.notNull())
    .addColumn("writer", text, (column) => column.notNull())
    .addColumn("part", integer, (column) => column.notNull())
    .addColumn("samples", integer, (column) => column.notNull())
    .addColumn("bytes", integer, (column) => column.notNull())
    .addColumn("totals", blob, (column) => column.notNull())
    .addColumn("system", blob, (column) => column.notNull())
    .addColumn("slowest", text, (column) => column.notNull())
    // Last column, so that reading the others does not touch its pages.
    .addColumn("routes", blob, (column) => column.notNull())
    .addPrimaryKeyConstraint("annex_metric_slots_key", ["level", "time", "part", "instance", "writer"])
    .execute();
  await schema
    .createTable("annex_metric_names")
    .addColumn("id", serial, (column) => column.primaryKey())
    .addColumn("name", text, (column) => column.notNull().unique())
    .execute();
  await schema
    .createTable("annex_metric_marks")
    .addColumn("level", integer, (column) => column.primaryKey())
    .addColumn("since", integer, (column) => column.notNull())
    .addColumn("until", integer, (column) => column.notNull())
    .execute();
  const marks = [1, 10, 60, 3_600, 86_400].map((level) => ({ level, since: 0, until: 0 }));
  await db.insertInto("annex_metric_marks").values(marks).execute();
  await schema
    .createTable("annex_metric_instances")
    .addColumn("instance", text, (column) => column.primaryKey())
    .addColumn("started_at", integer, (column) => column.notNull())
    .addColumn("seen_at", integer, (column) => column.notNull())
    .addColumn("description", text, (column) => column.notNull())
    .execute();
};
