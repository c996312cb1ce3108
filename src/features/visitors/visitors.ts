import type { Events } from "../../feature/index.ts";
import type { RootRouter } from "../../http/index.ts";
import type { ValuesOf } from "../../lib/options/option-set.ts";
import type { LiveOptions } from "../../lib/options/option-store.ts";
import { createPathPattern } from "../../lib/path-pattern.ts";
import type { Redactor } from "../../lib/redaction/redactor.ts";
import type { SystemJob } from "../../lib/system-job.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";
import type { Caller } from "../../lib/worker/contract.ts";
import { moduleBeside } from "../../lib/worker/threads.ts";
import type { BackgroundService } from "../../storage/index.ts";
import { createClosingJob } from "./closing-job.ts";
import { createCollector } from "./collect/collector.ts";
import { isPageView } from "./collect/page-view.ts";
import type { ViewBatch, VisitorCalls, VisitorContract } from "./messages.ts";
import type { visitorsOptions } from "./options.ts";
import { mountVisitors } from "./routes.ts";

export type VisitorsOptions = ValuesOf<typeof visitorsOptions>;

export interface VisitorsParts {
  /** The service in the background thread. */
  readonly service: Caller<VisitorCalls>;
  readonly clock: AlarmClock;
  readonly options: LiveOptions<VisitorsOptions>;
  /** Redacts paths. Default: the names that are always redacted. */
  readonly redactor?: Redactor | undefined;
}

export interface VisitorsStatus {
  readonly enabled: boolean;
  /** Views dropped since the start because of the limit per second. */
  readonly dropped: number;
  /** Views that have not been sent to the background thread yet. */
  readonly waiting: number;
}

export interface Visitors {
  /** Starts counting page views. */
  observe(events: Pick<Events, "on">): void;
  mount(router: RootRouter): void;
  /** System jobs that maintain the stored data. */
  readonly jobs: readonly SystemJob[];
  status(): VisitorsStatus;
  /** Sends pending views. Call before the background thread is closed. */
  close(): void;
}

/** The service for the background thread. */
export const visitorsService: BackgroundService<VisitorContract> = {
  module: moduleBeside(import.meta.url, "background"),
  data: undefined,
};

export function createVisitors({ service, clock, options, redactor }: VisitorsParts): Visitors {
  // Every request reads these, so they are not looked up each time.
  let { enabled } = options.current;
  let rules = readRules(options.current);
  options.onChange("enabled", (isEnabled) => {
    enabled = isEnabled;
  });
  for (const name of ["honourDoNotTrack", "exclude"] as const)
    options.onChange(name, () => {
      rules = readRules(options.current);
    });
  const send = (batch: ViewBatch) =>
    service.post("add", [batch], { transfer: [batch.bytes], bytes: batch.bytes.byteLength });
  const collector = createCollector(clock, send, redactor);
  const status = () => ({ enabled, dropped: collector.dropped, waiting: collector.waiting });

  return {
    observe(events) {
      events.on("request.finished", (request) => {
        if (enabled && isPageView(request, rules)) collector.add(request);
      });
    },
    mount(router) {
      mountVisitors(router, {
        clock,
        status,
        summarize: (question) => service.call("summarize", question),
      });
    },
    // Needed even if counting is disabled, to close the days counted before.
    jobs: [createClosingJob(() => service.call("tidy"))],
    status,
    close: collector.close,
  };
}

function readRules({ honourDoNotTrack, include, exclude }: VisitorsOptions) {
  return { honourDoNotTrack, includes: matchAny(include), excludes: matchAny(exclude) };
}

/** Returns a function that checks whether a path matches any of the patterns. */
function matchAny(texts: readonly string[]): (path: string) => boolean {
  const patterns = texts.map(createPathPattern);
  return (path) => patterns.some((pattern) => pattern.matches(path));
}
