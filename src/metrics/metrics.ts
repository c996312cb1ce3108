import type { FailedRequest, RequestObserver } from "../http/index.ts";
import type { AlarmClock } from "../lib/clock.ts";
import type { SystemJob } from "../lib/system-job.ts";
import { moduleBeside } from "../lib/threads.ts";
import type { Background } from "../storage/index.ts";
import { toSystemAnswer } from "./answers.ts";
import type { HistoryData, HistoryMessage } from "./background.ts";
import { ErrorLog, type Failure } from "./failures/error-log.ts";
import { createHealth, type Health, type HealthSources } from "./health.ts";
import type { Upkeep } from "./history/history.ts";
import { type RequestFigures, toFigures } from "./history/queries.ts";
import { LiveFeed } from "./live/live-feed.ts";
import { type Outcomes, renderMetrics } from "./prometheus.ts";
import { RequestCollector } from "./requests/collector.ts";
import type { Sampler, SystemDescription, SystemSample } from "./system/sampler.ts";

export interface MetricsOptions extends HealthSources {
  readonly clock: AlarmClock;
  readonly background: Pick<Background, "post" | "ask" | "problem" | "lost">;
  readonly instance: string;
  /** What does not change while the process runs. */
  readonly description: SystemDescription;
  createSampler(): Sampler;
  /** A word that lets a scraper read the metrics without being a superuser. */
  readonly scrapeToken?: string | undefined;
  /** Requests that have begun and not ended. */
  inFlight(): number;
  /** How many records of other parts were given up, by the name of the part. */
  dropped(): Record<string, number>;
}

/** One second as those see it who watch. */
export interface LiveSecond {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly requests: RequestFigures;
  readonly connections: number;
  readonly in_flight: number;
  /** Failures in this second. */
  readonly errors: number;
  readonly system: SystemSample;
}

/** What the dashboard shows at its beginning. */
const secondsShown = 120;
/** A timer may be early by a moment, and would then find the second not over. */
const afterTheSecond = 2;

/** Counts what happens, tells whoever watches, and hands it over to be kept. */
export class Metrics {
  readonly health: Health;
  readonly requests = new RequestCollector();
  readonly errors = new ErrorLog();
  readonly feed: LiveFeed;
  readonly jobs: readonly SystemJob[];
  readonly options: MetricsOptions;
  private readonly recent: LiveSecond[] = [];
  private readonly outcomes: Outcomes = new Map();
  private sampler: Sampler | undefined;
  private lastSample: SystemSample = {};
  private beganAt: number;
  private errorsSeen = 0;
  private stopTicking: (() => void) | undefined;
  /** What collecting has cost on this thread, in milliseconds, apart from what each request pays. */
  private spentMs = 0;

  constructor(options: MetricsOptions) {
    this.options = options;
    this.health = createHealth(options);
    this.beganAt = options.clock.now();
    this.feed = new LiveFeed(options.clock, () => this.snapshot());
    this.jobs = [createUpkeep(() => this.ask({ kind: "maintain" }))];
  }

  observe(observer: RequestObserver): void {
    observer.onFinished((request) => {
      this.health.count();
      this.requests.add(request);
    });
    observer.onFailed((failure) => this.fail(toFailure(failure)));
  }

  /** Something failed that is no request, a job for instance. */
  fail(failure: Failure): void {
    this.errors.add(failure, this.options.clock.now());
  }

  /** Counts the end of a job's run. */
  countRun(job: string, status: string): void {
    const byStatus = this.outcomes.get(job) ?? new Map<string, number>();
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    this.outcomes.set(job, byStatus);
  }

  /** Begins to look at the machine, once a second. */
  start(): void {
    this.sampler ??= this.options.createSampler();
    // Rates need a beginning.
    this.sampler.sample();
    this.beganAt = this.options.clock.now();
    this.tick();
  }

  /** Ends that, and hands over what there is. */
  stop(): void {
    this.feed.close();
    this.stopTicking?.();
    this.stopTicking = undefined;
    if (this.sampler) this.turn();
    this.sampler?.close();
    this.sampler = undefined;
  }

  ask<Answer>(message: HistoryMessage): Promise<Answer> {
    // Without a tick, as in a test, nobody else hands over what was counted.
    if (!this.stopTicking) this.turn();
    return this.options.background.ask<Answer>("metrics", message);
  }

  /** In the text format of Prometheus, or the stricter one of OpenMetrics. */
  exposition(isOpenMetrics: boolean): string {
    if (!this.stopTicking) this.turn();
    const { connections, inFlight, description } = this.options;
    const { routes } = this.requests;
    const gauges = { "http.connections": connections(), "http.in_flight": inFlight() };
    return renderMetrics({
      routes,
      system: { ...this.lastSample, ...gauges },
      errors: this.errors.total,
      outcomes: this.outcomes,
      cost: this.cost(),
      description,
      isOpenMetrics,
    });
  }

  /** What collecting costs, and what it had to leave out. */
  cost(): {
    collecting_ms: number;
    watchers: number;
    dropped: Record<string, number>;
    problem?: string;
  } {
    const { dropped, background } = this.options;
    return {
      collecting_ms: Math.round(this.spentMs * 1_000) / 1_000,
      watchers: this.feed.watching,
      dropped: {
        ...dropped(),
        watchers: this.feed.dropped,
        error_details: this.errors.unseen,
        routes: this.requests.overflowed,
        handed_over: background.lost,
      },
      ...(background.problem !== undefined && { problem: background.problem }),
    };
  }

  snapshot() {
    const { instance, description, clock } = this.options;
    return {
      now: clock.now(),
      instance,
      system: toSystemAnswer(description),
      health: this.health.read(),
      cost: this.cost(),
      seconds: this.recent,
    };
  }

  private tick(): void {
    const { clock } = this.options;
    const untilNext = 1_000 + afterTheSecond - (clock.now() % 1_000);
    this.stopTicking = clock.after(untilNext, () => {
      this.turn();
      this.tick();
    });
  }

  /** Ends one interval and begins the next. */
  private turn(): void {
    const { clock, background, connections, inFlight } = this.options;
    const begun = clock.elapsed();
    const time = Math.floor(this.beganAt / 1_000);
    this.beganAt = clock.now();
    const { totals, ...interval } = this.requests.turn();
    const system = this.sample({ "http.connections": connections(), "http.in_flight": inFlight() });
    const message: HistoryMessage = {
      kind: "second",
      second: { time, ...interval, ...(system && { system }) },
      errors: this.errors.take(),
    };
    background.post("metrics", message, [interval.requests.buffer]);
    if (system) this.show({ time: time * 1_000, requests: toFigures(totals), ...this.now(), system });
    this.spentMs += clock.elapsed() - begun;
  }

  private sample(gauges: Record<string, number>): SystemSample | undefined {
    if (!this.sampler) return undefined;
    this.lastSample = this.sampler.sample();
    return { ...this.lastSample, ...gauges };
  }

  private now() {
    const { connections, inFlight } = this.options;
    const errors = this.errors.total - this.errorsSeen;
    this.errorsSeen = this.errors.total;
    return { connections: connections(), in_flight: inFlight(), errors };
  }

  private show(second: LiveSecond): void {
    this.recent.push(second);
    if (this.recent.length > secondsShown) this.recent.shift();
    this.feed.publish("second", () => second);
  }
}

/** What the background thread needs to keep the history. */
export function historyService(
  options: Pick<MetricsOptions, "instance" | "description"> & { maxBytes: number },
): { module: URL; data: HistoryData } {
  const { instance, description, maxBytes } = options;
  const data = { instance, maxBytes, description: toSystemAnswer(description) };
  return { module: moduleBeside(import.meta.url, "background"), data };
}

function toFailure({ error, method, route, traceId }: FailedRequest): Failure {
  return { error, traceId, origin: route ? `${method} ${route.pattern.text}` : `${method} (no route)` };
}

function createUpkeep(maintain: () => Promise<Upkeep>): SystemJob {
  return {
    id: "__svcMetricsRollup__",
    name: "System Metrics Rollup",
    description: "Puts minutes together to hours and days, and deletes figures that are too old or too many.",
    schedule: "7 * * * *",
    async run(log) {
      const { compacted, expired, crowdedOut, errors } = await maintain();
      log.info(`Made ${compacted} hours and days; ${expired} slots were too old, ${crowdedOut} too many`);
      log.complete(`Forgot ${errors} kinds of errors`);
    },
  };
}
