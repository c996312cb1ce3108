import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The clock of the machine that all processes share, in milliseconds. It does not depend on `Date`. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

export type RecordBody =
  | { readonly kind: "begin"; readonly job: string; readonly run: string; readonly tick: number }
  | {
      readonly kind: "end";
      readonly how: "done" | "failed" | "aborted";
      readonly job: string;
      readonly run: string;
      readonly tick: number;
    }
  | { readonly kind: "fenced" | "rejoined" };

/** A line that an instance wrote itself. */
export type ProcessRecord = RecordBody & {
  readonly at: number;
  readonly instance: string;
  readonly pid: number;
};

/** A run as its function recorded it. */
export interface Call {
  readonly run: string;
  readonly job: string;
  readonly tick: number;
  readonly instance: string;
  readonly pid: number;
  readonly begin: number;
  /** Undefined if the process ended first. */
  readonly end?: number;
  readonly how?: "done" | "failed" | "aborted";
}

/** A run in the database. */
export interface StoredRun {
  readonly id: string;
  readonly job_id: string;
  readonly status: string;
  readonly trigger: string;
  readonly scheduled_at: number;
  readonly attempt: number;
  readonly started_at: number;
  readonly ended_at: number;
  readonly output: string;
}

export function readRecords(folder: string): ProcessRecord[] {
  return globSync("*.ndjson", { cwd: folder })
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"))
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as ProcessRecord]))
    .sort((one, other) => one.at - other.at);
}

/** Combines the begin and the end of each call. A run that began twice is two calls. */
export function toCalls(records: readonly ProcessRecord[]): Call[] {
  const ends = new Map<string, ProcessRecord & { kind: "end" }>();
  for (const record of records) if (record.kind === "end") ends.set(`${record.pid} ${record.run}`, record);
  return records.flatMap((record) => {
    if (record.kind !== "begin") return [];
    const { run, job, tick, instance, pid, at } = record;
    const end = ends.get(`${pid} ${run}`);
    return [{ run, job, tick, instance, pid, begin: at, ...(end && { end: end.at, how: end.how }) }];
  });
}
