import type { AccessEvent, AccessKind } from "../auth/index.ts";
import type { RequestObserver, RootRouter } from "../http/index.ts";
import type { AlarmClock } from "../lib/clock.ts";
import type { SystemJob } from "../lib/system-job.ts";
import type { Database } from "../storage/index.ts";
import { createCleanupJob } from "./cleanup-job.ts";
import type { WriteLogLine } from "./log-lines.ts";
import { createQueries } from "./queries.ts";
import { createRecorder } from "./recorder.ts";
import { toRefusal } from "./refusals.ts";
import { mountAccess } from "./routes.ts";
import { createStore } from "./store.ts";

export interface AccessOptions {
  /** Returns the database, opened and migrated with `accessMigrations`. */
  database(): Promise<Database>;
  readonly clock: AlarmClock;
  /** The name of this machine or container among the instances. */
  readonly instance: string;
  readonly log: WriteLogLine;
  readonly retentionDays: number;
}

/** The access log. */
export interface Access {
  /** Records an event. It neither throws nor waits, so it can be called on the request path. */
  record(event: AccessEvent): void;
  /** Records every refused request to a route of Annex. */
  observe(observer: RequestObserver): void;
  /** Events since the start of this process, by kind; every kind is present. */
  readonly counts: Readonly<Record<AccessKind, number>>;
  readonly jobs: readonly SystemJob[];
  /** Changes the retention of events. */
  retain(days: number): void;
  mount(router: RootRouter): void;
  /** Stores pending events, unless that takes too long. */
  close(): Promise<void>;
}

const dayMs = 86_400_000;

export function createAccess({ database, clock, instance, log, retentionDays }: AccessOptions): Access {
  const store = createStore(database, instance);
  const recorder = createRecorder({ store, clock, log });
  const queries = createQueries(database);
  let days = retentionDays;
  return {
    record: recorder.record,
    observe(observer) {
      observer.onRefused((request) => {
        const event = toRefusal(request);
        if (event) recorder.record(event);
      });
    },
    counts: recorder.counts,
    jobs: [createCleanupJob(() => store.prune(clock.now() - days * dayMs))],
    retain(wanted) {
      days = wanted;
    },
    mount: (router) =>
      mountAccess(router, { clock, queries, flush: recorder.flush, retentionDays: () => days }),
    close: recorder.close,
  };
}
