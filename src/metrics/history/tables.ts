import type { MigrationSet } from "../../storage/index.ts";
import { type LevelSeconds, levels } from "./levels.ts";

/** Table types for queries. Times are seconds since the epoch unless noted otherwise. */
export interface MetricTables {
  annex_metric_slots: {
    level: LevelSeconds;
    time: number;
    /** Name of the machine or container. */
    instance: string;
    /** The process that wrote the slot; empty for slots merged by a job. */
    writer: string;
    /** Part of the routes; the first part also contains everything else. */
    part: number;
    samples: number;
    /** Approximate size of the row. */
    bytes: number;
    totals: Uint8Array;
    system: Uint8Array;
    slowest: string;
    routes: Uint8Array;
  };
  /** Names of routes and metrics, which slots refer to by number. */
  annex_metric_names: { id: number; name: string };
  /** The period with data for each level. */
  annex_metric_marks: { level: LevelSeconds; since: number; until: number };
  annex_metric_instances: { instance: string; started_at: number; seen_at: number; description: string };
  annex_errors: {
    fingerprint: string;
    type: string;
    message: string;
    stack: string;
    /** JSON array of causes. */
    causes: string;
    /** The route, as `GET /todos/{id}`, or the job, as `job backup`. */
    origin: string;
    /** Milliseconds. */
    first_seen: number;
    last_seen: number;
    count: number;
  };
  annex_error_counts: { fingerprint: string; time: number; instance: string; count: number };
  annex_error_samples: {
    fingerprint: string;
    /** Milliseconds. */
    time: number;
    trace_id: string;
    instance: string;
    message: string;
  };
}

export const metricMigrations: MigrationSet = {
  feature: "metrics",
  migrations: {
    "001-slots": {
      async up(db, { text, integer, blob, serial }) {
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
        const marks = levels.map(({ seconds }) => ({ level: seconds, since: 0, until: 0 }));
        await db.insertInto("annex_metric_marks").values(marks).execute();
        await schema
          .createTable("annex_metric_instances")
          .addColumn("instance", text, (column) => column.primaryKey())
          .addColumn("started_at", integer, (column) => column.notNull())
          .addColumn("seen_at", integer, (column) => column.notNull())
          .addColumn("description", text, (column) => column.notNull())
          .execute();
      },
    },
    "002-errors": {
      async up({ schema }, { text, integer }) {
        await schema
          .createTable("annex_errors")
          .addColumn("fingerprint", text, (column) => column.primaryKey())
          .addColumn("type", text, (column) => column.notNull())
          .addColumn("message", text, (column) => column.notNull())
          .addColumn("stack", text, (column) => column.notNull())
          .addColumn("origin", text, (column) => column.notNull())
          .addColumn("first_seen", integer, (column) => column.notNull())
          .addColumn("last_seen", integer, (column) => column.notNull())
          .addColumn("count", integer, (column) => column.notNull())
          .execute();
        await schema
          .createTable("annex_error_counts")
          .addColumn("time", integer, (column) => column.notNull())
          .addColumn("fingerprint", text, (column) => column.notNull())
          .addColumn("instance", text, (column) => column.notNull())
          .addColumn("count", integer, (column) => column.notNull())
          .addPrimaryKeyConstraint("annex_error_counts_key", ["time", "fingerprint", "instance"])
          .execute();
        await schema
          .createTable("annex_error_samples")
          .addColumn("fingerprint", text, (column) => column.notNull())
          .addColumn("time", integer, (column) => column.notNull())
          .addColumn("trace_id", text, (column) => column.notNull())
          .addColumn("instance", text, (column) => column.notNull())
          .addColumn("message", text, (column) => column.notNull())
          .addPrimaryKeyConstraint("annex_error_samples_key", ["fingerprint", "time", "trace_id"])
          .execute();
      },
    },
    "003-error-causes": {
      async up({ schema }, { text }) {
        await schema
          .alterTable("annex_errors")
          .addColumn("causes", text, (column) => column.notNull().defaultTo("[]"))
          .execute();
      },
    },
  },
};
