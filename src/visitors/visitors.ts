import type { RequestObserver, RootRouter } from "../http/index.ts";
import type { AlarmClock } from "../lib/clock.ts";
import { createPathPattern } from "../lib/path-pattern.ts";
import type { Redactor } from "../lib/redactor.ts";
import type { SystemJob } from "../lib/system-job.ts";
import { moduleBeside } from "../lib/threads.ts";
import type { Background } from "../storage/index.ts";
import { createClosingJob } from "./closing-job.ts";
import { createCollector } from "./collector.ts";
import type { Message, Question, Summary, TidyStep, ViewBatch } from "./messages.ts";
import { isPageView } from "./page-view.ts";
import { mountVisitors } from "./routes.ts";

export interface VisitorsOptions {
  /** Whether page views are counted. Default true. */
  readonly enabled: boolean;
  /** Whether requests with `DNT: 1` or `Sec-GPC: 1` are excluded. Default false. */
  readonly honourDoNotTrack: boolean;
  /** Paths that are counted regardless of their response's content type; `*` matches any characters. Default none. */
  readonly include: readonly string[];
  /** Paths that are never counted. Default none. */
  readonly exclude: readonly string[];
}

export const visitorsDefaults = {
  enabled: true,
  honourDoNotTrack: false,
  include: [],
  exclude: [],
} satisfies VisitorsOptions;

export interface VisitorsParts {
  readonly background: Pick<Background, "post" | "ask">;
  readonly clock: AlarmClock;
  readonly options: VisitorsOptions;
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
  observe(observer: RequestObserver): void;
  mount(router: RootRouter): void;
  /** Changes some of the options. */
  configure(options: Partial<Pick<VisitorsOptions, "enabled" | "honourDoNotTrack" | "exclude">>): void;
  /** System jobs that maintain the stored data. */
  readonly jobs: readonly SystemJob[];
  status(): VisitorsStatus;
  /** Sends pending views. Call before the background thread is closed. */
  close(): void;
}

/** Module for the background thread, to be registered as "visitors". */
export const visitorsService = { module: moduleBeside(import.meta.url, "background") };

const serviceName = "visitors";

export function createVisitors({ background, clock, options, redactor }: VisitorsParts): Visitors {
  let { enabled } = options;
  let rules = {
    honourDoNotTrack: options.honourDoNotTrack,
    includes: matchAny(options.include),
    excludes: matchAny(options.exclude),
  };
  const ask = <Answer>(message: Message) => background.ask<Answer>(serviceName, message);
  const send = (batch: ViewBatch) => {
    const message: Message = { kind: "views", batch };
    background.post(serviceName, message, [batch.bytes]);
  };
  const collector = createCollector(clock, send, redactor);
  const status = () => ({ enabled, dropped: collector.dropped, waiting: collector.waiting });

  return {
    observe(observer) {
      observer.onFinished((request) => {
        if (enabled && isPageView(request, rules)) collector.add(request);
      });
    },
    mount(router) {
      mountVisitors(router, {
        clock,
        status,
        summarize: (question: Question) => ask<Summary>({ kind: "summary", question }),
      });
    },
    configure({ enabled: isEnabled = enabled, honourDoNotTrack = rules.honourDoNotTrack, exclude }) {
      enabled = isEnabled;
      rules = { ...rules, honourDoNotTrack, ...(exclude && { excludes: matchAny(exclude) }) };
    },
    // Needed even if counting is disabled, to close the days counted before.
    jobs: [createClosingJob(() => ask<TidyStep>({ kind: "tidy" }))],
    status,
    close: collector.close,
  };
}

/** Returns a function that checks whether a path matches any of the patterns. */
function matchAny(texts: readonly string[]): (path: string) => boolean {
  const patterns = texts.map(createPathPattern);
  return (path) => patterns.some((pattern) => pattern.matches(path));
}
