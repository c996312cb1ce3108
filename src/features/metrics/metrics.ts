import type { DroppedData, Events, PastIssue } from "../../feature/index.ts";
import type { FailedRequest, StreamNumbers } from "../../http/index.ts";
import { defaultRedactor } from "../../lib/redaction/redactor.ts";
import type { SystemJob } from "../../lib/system-job.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";
import type { Caller, CallName, InputOf, OutputOf } from "../../lib/worker/contract.ts";
import type { BackgroundThread } from "../../storage/index.ts";
import { ErrorLog, type Failure } from "./failures/error-log.ts";
import { beatEverySeconds, createEpoch, FleetView } from "./fleet-view.ts";
import { createHealth, type Health, type HealthSources } from "./health/health.ts";
import { LostRecords } from "./health/lost-records.ts";
import { ReferenceTable } from "./health/traffic/reference-table.ts";
import type { LimitOptions, RouteLimits } from "./health/traffic/route-limits.ts";
import { TrafficMonitor } from "./health/traffic/traffic-monitor.ts";
import type { HistoryCalls } from "./history/calls.ts";
import { LiveFeed } from "./live/live-feed.ts";
import { Pace, type PacedInterval } from "./live/pace.ts";
import { findChanges } from "./live/system-changes.ts";
import { type Counter, type Outcomes, renderMetrics } from "./prometheus.ts";
import { DiskWatch } from "./reports/disk-watch.ts";
import { listDropped } from "./reports/dropped-data.ts";
import { InstanceReport, type ReportOptions } from "./reports/instance-report.ts";
import { findPastHealth, type PastPeriod } from "./reports/past-health.ts";
import { RecentStalls } from "./reports/recent-stalls.ts";
import { RequestCollector } from "./requests/collector.ts";
import { RecentMinutes } from "./requests/recent-minutes.ts";
import { toRequestMetrics } from "./requests/request-metrics.ts";
import { RequestStats } from "./requests/request-stats.ts";
import { toSystemResponse } from "./responses.ts";
import { createRollupJob } from "./rollup-job.ts";
import { isScrapeToken } from "./scrape-token.ts";
import type { StallProbe } from "./stalls/stall-probe.ts";
import type { Sampler, SystemDescription, SystemSample } from "./system/sampler.ts";
import type { Stall } from "./wire/stalls.ts";
import type {
  CollectionCost,
  DiskUsage,
  HealthReport,
  HistorySize,
  LiveEvents,
  LiveSecond,
  PastHealth,
  Snapshot,
} from "./wire.ts";

export interface MetricsOptions extends Omit<HealthSources, "isLosingData">, ReportOptions {
  readonly history: Caller<HistoryCalls>;
  /** The thread of the history. */
  readonly background: Pick<BackgroundThread, "problem" | "lost">;
  readonly instance: string;
  /** Whether other instances use the same database. Default: false. */
  readonly isShared?: boolean;
  /** Identifies this process among those of the instance. Default: one is created. */
  readonly epoch?: string;
  /** Properties that do not change while the process runs. */
  readonly description: SystemDescription;
  createSampler(): Sampler;
  /** Finds stalls of the event loop. Default: none are found. */
  readonly stalls?: Pick<StallProbe, "start" | "stop" | "take" | "rest"> | undefined;
  /** Blocks of the event loop from this duration on are stalls. Default: 100. */
  readonly stallMs?: number;
  /** Called with every stall. */
  onStall?(stall: Stall): void;
  /** Token that allows a Prometheus scraper to read the metrics. */
  readonly scrapeToken?: string | undefined;
  /** Event streams and WebSockets. The numbers change. */
  readonly streams: Pick<StreamNumbers, "open">;
  /** The limits of all requests and of each route. They can change. */
  limitsOf: RouteLimits;
  /** The same as options, for the history. */
  limits(): LimitOptions;
  /** Issues of a period that other features report. Default: none. */
  pastIssues?(from: number, to: number): Promise<readonly PastIssue[]>;
  /** Counters of other features, for scrapers. Default: none. */
  counters?(): readonly Counter[];
  /** All data that is dropped, here and elsewhere. */
  dropped(): readonly DroppedData[];
}

/** Seconds shown when the dashboard opens. */
const secondsShown = 120;
const sizeKeptMs = 20_000;
const restSeconds = 10;
const referencesEveryMs = 60_000;

/** Collects metrics, sends them to live clients and passes them to the history. */
export class Metrics {
  readonly health: Health;
  readonly requests: RequestCollector;
  readonly errors: ErrorLog;
  readonly feed: LiveFeed<LiveEvents>;
  readonly jobs: readonly SystemJob[];
  readonly fleet: FleetView;
  readonly instance: string;
  readonly clock: AlarmClock;
  private readonly options: MetricsOptions;
  private readonly recent: LiveSecond[] = [];
  private readonly minutes = new RecentMinutes();
  private readonly outcomes: Outcomes = new Map();
  private sampler: Sampler | undefined;
  private lastSample: SystemSample = {};
  private readonly pace: Pace;
  private errorsSeen = 0;
  private hasRecorded = false;
  private measured: { readonly at: number; readonly size: Promise<HistorySize> } | undefined;
  private readonly diskWatch: DiskWatch;
  private referencesDueAt = Number.NEGATIVE_INFINITY;
  private readonly references = new ReferenceTable((query) => this.callHistory("routes", query));
  private readonly traffic: TrafficMonitor;
  private readonly stalls: RecentStalls;
  private readonly lost = new LostRecords();
  private readonly report: InstanceReport;
  /** CPU time of the collection on this thread in milliseconds, excluding the cost per request. */
  private spentMs = 0;

  constructor(options: MetricsOptions) {
    this.options = options;
    this.instance = options.instance;
    this.clock = options.clock;
    this.requests = new RequestCollector(options.redactor);
    this.errors = new ErrorLog(options.redactor);
    this.health = createHealth({
      ...options,
      isLosingData: () => this.lost.isOngoing(options.clock.elapsed()),
    });
    this.pace = this.createPace();
    this.diskWatch = new DiskWatch({
      instance: options.instance,
      clock: options.clock,
      callHistory: this.callHistory.bind(this),
      lastSample: () => this.lastSample,
    });
    this.stalls = new RecentStalls({ redactor: defaultRedactor, ...options });
    this.feed = new LiveFeed(options.clock, () => this.snapshot());
    this.traffic = new TrafficMonitor({
      limitsOf: options.limitsOf,
      referencesOf: (route) => this.references.of(route),
    });
    this.report = new InstanceReport(options, {
      minutes: this.minutes,
      traffic: this.traffic,
      lost: this.lost,
      diskWatch: this.diskWatch,
      stalls: this.stalls,
      seconds: this.recent,
      system: () => ({ ...this.lastSample, ...this.gauges() }),
      dropped: () => this.options.dropped(),
    });
    this.fleet = new FleetView({
      instance: options.instance,
      isShared: options.isShared ?? false,
      clock: options.clock,
      history: options.history,
      recent: this.requests.recent,
      epoch: options.epoch ?? createEpoch(),
      status: () => this.report.status(),
    });
    this.jobs = [createRollupJob(() => this.callHistory("maintain"))];
  }

  /** Called before a request or a run begins while there was none. */
  wake(): void {
    this.pace.wake();
  }

  observe(events: Pick<Events, "on">): void {
    events.on("run.begun", () => this.wake());
    events.on("request.finished", (request) => {
      this.health.count();
      this.requests.add(request);
    });
    events.on("request.failed", (failure) => this.fail(toFailure(failure)));
  }

  /** Records a failure outside a request, such as a failed job run. */
  fail(failure: Failure): void {
    this.wake();
    this.errors.add(failure, this.options.clock.now());
  }

  /** Counts a finished job run. */
  countRun(job: string, status: string): void {
    const byStatus = this.outcomes.get(job) ?? new Map<string, number>();
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    this.outcomes.set(job, byStatus);
  }

  /** Starts sampling the system once per second, or less often while nothing happens. */
  start(): void {
    this.sampler ??= this.options.createSampler();
    this.options.stalls?.start();
    // Rates need an initial sample.
    this.sampler.sample();
    this.diskWatch.start();
    this.pace.start();
  }

  /** Stops sampling and passes on the remaining data. */
  stop(): void {
    this.feed.close();
    this.pace.stop();
    if (this.sampler && !this.isUnused()) {
      this.fleet.leave();
      this.pace.turn();
    }
    this.sampler?.close();
    this.sampler = undefined;
    this.options.stalls?.stop();
  }

  callHistory<Name extends CallName<HistoryCalls>>(
    name: Name,
    ...input: InputOf<HistoryCalls, Name>
  ): Promise<OutputOf<HistoryCalls, Name>> {
    // Without a timer, as in tests, the counts must be passed on here.
    if (!this.pace.isRunning) this.pace.turn();
    return this.options.history.call(name, ...input);
  }

  /** Changes the maximum size of the history. */
  limitHistory(maxBytes: number): void {
    this.options.history.post("limit", [maxBytes]);
    this.measured = undefined;
  }

  /** Size of the history. Cached, because measuring reads the header of every slot. */
  size(): Promise<HistorySize> {
    const now = this.options.clock.elapsed();
    if (!this.measured || now - this.measured.at >= sizeKeptMs) {
      this.measured = { at: now, size: this.callHistory("size") };
      this.measured.size.catch(() => {
        this.measured = undefined;
      });
    }
    return this.measured.size;
  }

  /** Renders metrics in the Prometheus text format or in the stricter OpenMetrics format. */
  exposition(isOpenMetrics: boolean): string {
    if (!this.pace.isRunning) this.pace.turn();
    const { description } = this.options;
    const { routes } = this.requests;
    return renderMetrics({
      routes,
      system: { ...this.lastSample, ...this.gauges() },
      errors: this.errors.total,
      outcomes: this.outcomes,
      counters: this.options.counters?.() ?? [],
      cost: this.cost(),
      description,
      isOpenMetrics,
    });
  }

  /** Whether a token allows a Prometheus scraper to read the metrics. */
  isScrapeToken(given: string): boolean {
    return isScrapeToken(given, this.options.scrapeToken);
  }

  /** What the collection drops. */
  listDropped(): DroppedData[] {
    const { feed, errors, requests, options } = this;
    return listDropped({ feed, errors, requests, background: options.background });
  }

  /** The cost of the collection, and the records it dropped. */
  cost(): CollectionCost {
    const { dropped, background } = this.options;
    return {
      collecting_ms: Math.round(this.spentMs * 1_000) / 1_000,
      watchers: this.feed.watching,
      dropped: Object.fromEntries(dropped().map(({ name, count }) => [name, count()])),
      problem: background.problem,
    };
  }

  snapshot(): Snapshot {
    const { instance, description, clock } = this.options;
    return {
      now: clock.now(),
      instance,
      system: toSystemResponse(description),
      health: this.health.read(),
      verdict: this.verdict(),
      cost: this.cost(),
      // System metrics are many, and their past is in the history.
      seconds: this.recent.map((second, index) =>
        index === this.recent.length - 1 ? second : { ...second, system: {} },
      ),
    };
  }

  verdict(): HealthReport {
    return this.report.verdict();
  }

  pastHealth(period: PastPeriod): Promise<PastHealth> {
    const { instance, limits, pastIssues } = this.options;
    return findPastHealth(period, {
      instance,
      callHistory: this.callHistory.bind(this),
      limits: limits(),
      ...(pastIssues && { pastIssues }),
    });
  }

  /** Usage and forecast of the disk of the data folder. */
  disk(): Promise<DiskUsage> {
    return this.diskWatch.read();
  }

  /** Once a minute, reads the past, so that the health status does not query the history. */
  private readPast(): void {
    const { clock } = this.options;
    if (clock.elapsed() < this.referencesDueAt) return;
    this.referencesDueAt = clock.elapsed() + referencesEveryMs;
    this.lost.add(clock.now(), this.options.dropped());
    // History failures are reported elsewhere; the previous values remain in use.
    this.references.refresh(Math.floor(clock.now() / 1_000)).catch(() => {});
  }

  private createPace(): Pace {
    const { clock, isShared, stallMs = 100 } = this.options;
    return new Pace({
      clock,
      stallMs,
      // Other instances consider one without beats as dead.
      restSeconds: isShared ? beatEverySeconds : restSeconds,
      turn: (interval) => this.turn(interval),
      afterTurn: () => {
        this.diskWatch.refresh();
        this.lost.watch(clock.elapsed(), this.options.dropped());
        this.readPast();
      },
      onRest: (isResting) => {
        this.sampler?.rest(isResting);
        this.options.stalls?.rest(isResting);
      },
    });
  }

  /** Passes on what an interval has counted. Returns whether something happened in it. */
  private turn({ time, seconds }: PacedInterval): boolean {
    const { clock, history } = this.options;
    const begun = clock.elapsed();
    this.traffic.advance(time);
    const { totals, ...interval } = this.requests.turn((route, stats) => this.traffic.add(route, stats));
    const system = this.sample();
    const record = { time, seconds, ...interval, ...(system && { system }) };
    const stalls = this.options.stalls?.take() ?? [];
    for (const stall of stalls) void this.stalls.add(stall);
    const { buffer } = interval.requests;
    const recent = this.fleet.turn(seconds);
    const errors = this.errors.take();
    this.hasRecorded = true;
    history.post("record", [record, errors, recent], { transfer: [buffer], bytes: buffer.byteLength });
    if (system) this.showAll({ time, seconds }, totals, system);
    this.spentMs += clock.elapsed() - begun;
    return totals.count + errors.length + stalls.length > 0 || this.isActive();
  }

  /** Whether something is in progress, or somebody looks. */
  private isActive(): boolean {
    const { inFlight, streams, activeRuns } = this.options;
    const { eventStreams, webSockets } = streams.open;
    const runs = activeRuns?.().length ?? 0;
    return inFlight() + runs + eventStreams + webSockets + this.feed.watching > 0;
  }

  /** A program that stops within a second and did nothing need not start a thread to store that. */
  private isUnused(): boolean {
    return !this.hasRecorded && this.requests.recent.newest === 0 && this.errors.total === 0;
  }

  private sample(): SystemSample | undefined {
    if (!this.sampler) return undefined;
    this.lastSample = this.sampler.sample();
    return { ...this.lastSample, ...this.gauges() };
  }

  private gauges(): Record<string, number> {
    const { connections, inFlight, longRequests, streams } = this.options;
    return {
      "http.connections": connections(),
      "http.event_streams": streams.open.eventStreams,
      "http.websockets": streams.open.webSockets,
      "http.in_flight": inFlight(),
      "http.long_running": longRequests().count,
    };
  }

  private now() {
    const { connections, inFlight } = this.options;
    const errors = this.errors.total - this.errorsSeen;
    this.errorsSeen = this.errors.total;
    return { connections: connections(), in_flight: inFlight(), errors };
  }

  private showAll({ time, seconds }: PacedInterval, totals: RequestStats, system: SystemSample): void {
    for (let offset = 0; offset < seconds; offset++) {
      const stats = offset === 0 ? totals : new RequestStats();
      this.minutes.add(stats);
      const requests = toRequestMetrics(stats);
      this.show({ time: (time + offset) * 1_000, requests, ...this.now(), system });
    }
  }

  private show(second: LiveSecond): void {
    this.recent.push(second);
    if (this.recent.length > secondsShown) this.recent.shift();
    const before = this.recent.at(-2)?.system ?? {};
    this.feed.publish("second", () => ({
      ...second,
      system: findChanges(before, second.system),
      verdict: this.verdict(),
    }));
  }
}

function toFailure({ error, method, route, traceId }: FailedRequest): Failure {
  return { error, traceId, origin: route ? `${method} ${route.pattern.text}` : `${method} (no route)` };
}
