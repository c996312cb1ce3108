import { historyFile, readMigrations, type Store } from "../../../storage/index.ts";
import type { FleetTables } from "../fleet/tables.ts";
import type { LevelSeconds } from "./levels.ts";

/** Table types for queries. Times are seconds since the epoch unless noted otherwise. */
export interface MetricTables extends FleetTables {
  annex_metric_slots: {
    level: LevelSeconds;
    time: number;
    /** Name of the machine or container. */
    instance: string;
    /** The process that wrote the slot; empty for slots merged by a job. */
    writer: string;
    /** 0. Earlier releases wrote further rows with a part of the routes each; the first one also contains everything else. */
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
  annex_stalls: {
    /** Milliseconds. */
    started_at: number;
    instance: string;
    duration_ms: number;
    /** Of the request or run that caused the stall; empty if it is not known. */
    trace_id: string;
    /** JSON of the rest. */
    detail: string;
  };
}

export const metricMigrations = readMigrations("metrics", new URL("../migrations/", import.meta.url));

export const metricStore: Store = {
  name: "metrics",
  contents: ["metrics", "errors"],
  file: historyFile,
  tables: ["annex_metric_*", "annex_error*", "annex_stalls", "annex_recent_requests"],
  migrations: metricMigrations,
  isLarge: true,
  retention: [{ of: "metrics", words: "from an hour (per second) to a year (per hour)" }],
  limit: { option: "metrics.maxMegabytes", of: "metrics only" },
};
