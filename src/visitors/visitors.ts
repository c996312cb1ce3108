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
  /** Whether requests with `DNT: 1` or `Sec-GPC: 1` are left out. Default false. */
  readonly honourDoNotTrack: boolean;
  /** Paths that count whatever the content type of their answer; `*` stands for any run of letters. Default none. */
  readonly include: readonly string[];
  /** Paths that never count. Default none. */
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
  /** Removes secrets from paths. Default: the names that are always sensitive. */
  readonly redactor?: Redactor | undefined;
}

export interface VisitorsStatus {
  readonly enabled: boolean;
  /** Views that were too many in their second, since the start. */
  readonly dropped: number;
  /** Views that have not been passed on yet. */
  readonly waiting: number;
}

export interface Visitors {
  /** Counts the page views among the requests from here on. */
  observe(observer: RequestObserver): void;
  mount(router: RootRouter): void;
  /** From now on these options count, and the others stay as they are. */
  configure(options: Partial<Pick<VisitorsOptions, "enabled" | "honourDoNotTrack" | "exclude">>): void;
  /** What has to be run now and then to look after what is stored. */
  readonly jobs: readonly SystemJob[];
  status(): VisitorsStatus;
  /** Passes on what has been counted; to be called before the background thread is closed. */
  close(): void;
}

/** What the background thread has to load, under the name "visitors". */
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
    // Also while nothing is counted: what was counted before has days that end.
    jobs: [createClosingJob(() => ask<TidyStep>({ kind: "tidy" }))],
    status,
    close: collector.close,
  };
}

/** Says whether a path fits one of the patterns. */
function matchAny(texts: readonly string[]): (path: string) => boolean {
  const patterns = texts.map(createPathPattern);
  return (path) => patterns.some((pattern) => pattern.matches(path));
}
