/** Tables about the instances. Times are seconds since the epoch unless noted otherwise. */
export interface FleetTables {
  annex_metric_instances: {
    instance: string;
    started_at: number;
    seen_at: number;
    description: string;
    /** Milliseconds, by the clock of the database. Null if an older version wrote the row. */
    beat_at: number | null;
    /** Null while the instance runs. */
    stopped_at: number | null;
    /** JSON of its status. Null if the database is not shared. */
    status: string | null;
  };
  /** The recent requests of each instance, in a fixed number of pages. */
  annex_recent_requests: {
    instance: string;
    page: number;
    /** The process that handled them. */
    epoch: string;
    /** Changes with each write. */
    version: string;
    /** When the newest request ended, in milliseconds. */
    time: number;
    /** JSON, compressed with zstd. */
    body: Uint8Array;
  };
}
