import { systemClock } from "../lib/clock.ts";
import type { BackgroundContext, BackgroundService, MigrationSet } from "../storage/index.ts";
import type { ErrorGroup } from "./failures/error-log.ts";
import type { ErrorFilter } from "./history/error-store.ts";
import { History, type HistoryOptions } from "./history/history.ts";
import type { PastQuery } from "./history/queries.ts";
import type { SecondRecord } from "./history/slot.ts";
import { metricMigrations } from "./history/tables.ts";

/** Messages from the main thread to the history. */
export type HistoryMessage =
  | { kind: "second"; second: SecondRecord; errors: readonly ErrorGroup[] }
  | { kind: "requests" | "routes" | "slowest" | "system"; query: PastQuery }
  | { kind: "errors"; query: PastQuery; filter: ErrorFilter }
  | { kind: "error"; fingerprint: string; query: PastQuery }
  | { kind: "limit"; maxBytes: number }
  | { kind: "instances" | "size" | "maintain" };

export interface HistoryData extends Pick<HistoryOptions, "instance" | "description"> {
  /** Can change; a thread that starts later uses the current value. */
  maxBytes: number;
}

/** The history runs in the background thread. */
export const migrations: MigrationSet = metricMigrations;

export function serve({ database, data, report }: BackgroundContext<HistoryData>): BackgroundService {
  const history = new History({ ...data, database, report, clock: systemClock });
  return {
    handle(message: HistoryMessage) {
      switch (message.kind) {
        case "second":
          return history.record(message.second, message.errors);
        case "errors":
          return history.listErrors(message.query, message.filter);
        case "error":
          return history.findError(message.fingerprint, message.query);
        case "instances":
          return history.instances();
        case "size":
          return history.size();
        case "limit":
          return history.limit(message.maxBytes);
        case "maintain":
          return history.maintain();
        default:
          return history.ask(message.kind, message.query);
      }
    },
    close: () => history.close(),
  };
}
