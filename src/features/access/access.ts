import type { AccessEvent, AccessKind } from "../../auth/index.ts";
import type { Events, StoreState } from "../../feature/index.ts";
import type { RootRouter } from "../../http/index.ts";
import type { ValuesOf } from "../../lib/options/option-set.ts";
import type { LiveOptions } from "../../lib/options/option-store.ts";
import type { SystemJob } from "../../lib/system-job.ts";
import { describeFit } from "../../lib/text/describe-fit.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";
import { dayMs } from "../../lib/time/units.ts";
import type { Database } from "../../storage/index.ts";
import { createCleanupJob } from "./cleanup-job.ts";
import type { WriteLogLine } from "./events/log-lines.ts";
import { toRefusal } from "./events/refusals.ts";
import type { accessOptions } from "./options.ts";
import { createQueries } from "./queries.ts";
import { createRecorder } from "./recorder.ts";
import { mountAccess } from "./routes.ts";
import { createStore } from "./store.ts";
import { accessStore } from "./tables.ts";

export interface AccessOptions {
  /** Returns the database, opened and migrated with `accessMigrations`. */
  database(): Promise<Database>;
  readonly clock: AlarmClock;
  /** The name of this machine or container among the instances. */
  readonly instance: string;
  readonly log: WriteLogLine;
  readonly options: LiveOptions<ValuesOf<typeof accessOptions>>;
}

/** The access log. */
export interface Access {
  /** Records an event. It neither throws nor waits, so it can be called on the request path. */
  record(event: AccessEvent): void;
  /** Records every refused request to a route of Annex. */
  observe(events: Pick<Events, "on">): void;
  /** Events since the start of this process, by kind; every kind is present. */
  readonly counts: Readonly<Record<AccessKind, number>>;
  readonly jobs: readonly SystemJob[];
  /** What the limits do to stored events. */
  limitState(): StoreState;
  mount(router: RootRouter): void;
  /** Stores pending events, unless that takes too long. */
  close(): Promise<void>;
}

export function createAccess({ database, clock, instance, log, options }: AccessOptions): Access {
  const store = createStore(database, instance);
  const recorder = createRecorder({ store, clock, log });
  const queries = createQueries(database);
  const retentionDays = () => options.current.retentionDays;
  // PostgreSQL refuses a fraction of a millisecond.
  const earliestKept = () => Math.floor(clock.now() - retentionDays() * dayMs);
  return {
    record: recorder.record,
    observe(events) {
      events.on("request.refused", (request) => {
        const event = toRefusal(request);
        if (event) recorder.record(event);
      });
    },
    counts: recorder.counts,
    jobs: [createCleanupJob((signal) => store.prune(earliestKept(), signal))],
    limitState() {
      const { removing, crowdedUntil } = store;
      const fitting = (clock.now() - crowdedUntil) / dayMs;
      const early =
        fitting < retentionDays()
          ? [`${describeFit(fitting, retentionDays(), "day")} of access events fit`]
          : undefined;
      return { store: accessStore.name, removing, early };
    },
    mount: (router) => mountAccess(router, { clock, queries, flush: recorder.flush, retentionDays }),
    close: recorder.close,
  };
}
