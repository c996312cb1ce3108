import type { DroppedData, HealthIssue } from "../../../feature/index.ts";
import type { LongRequests } from "../../../http/index.ts";
import { defaultRedactor, type Redactor } from "../../../lib/redaction/redactor.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import type { Traced } from "../../../lib/trace-context.ts";
import type { HealthSources } from "../health/health.ts";
import { HealthEvaluation } from "../health/health-status.ts";
import type { LostRecords } from "../health/lost-records.ts";
import { findSystemIssues } from "../health/system-rules.ts";
import type { RouteLimits } from "../health/traffic/route-limits.ts";
import type { TrafficMonitor } from "../health/traffic/traffic-monitor.ts";
import { cutText } from "../requests/cut-text.ts";
import type { RecentMinutes } from "../requests/recent-minutes.ts";
import { toLongResponse } from "../responses.ts";
import type { HealthReport, InstanceStatus, LiveSecond } from "../wire.ts";
import type { DiskWatch } from "./disk-watch.ts";
import { toRates } from "./rates.ts";
import type { RecentStalls } from "./recent-stalls.ts";

/** What the report takes from the application. */
export interface ReportOptions
  extends Pick<HealthSources, "isDraining" | "storageIssues" | "uptimeMs" | "connections"> {
  readonly clock: AlarmClock;
  /** Redacts paths, headers and errors. Default: the names that are always redacted. */
  readonly redactor?: Redactor;
  /** Number of requests in progress. */
  inFlight(): number;
  /** Requests in flight that are older than `longRequestMs` and have no response yet. */
  longRequests(): LongRequests;
  readonly longRequestMs: number;
  /** The limits of all requests and of each route. They can change. */
  limitsOf: RouteLimits;
  /** Issues that other features report. Default: none. */
  healthIssues?(): readonly HealthIssue[];
  /** The job runs in progress. Default: none. */
  activeRuns?(): readonly Traced[];
  /** Whether this instance runs no jobs, because it lost its lease. Default: false. */
  isFenced?(): boolean;
}

/** What the report takes from the collected metrics. */
export interface ReportSources {
  readonly minutes: RecentMinutes;
  readonly traffic: TrafficMonitor;
  readonly lost: LostRecords;
  readonly diskWatch: DiskWatch;
  readonly stalls: RecentStalls;
  /** The last seconds, the latest last. */
  readonly seconds: readonly LiveSecond[];
  /** The latest system metrics. */
  system(): Record<string, number>;
  dropped(): readonly DroppedData[];
}

const maxListedRuns = 20;

/** What this instance says about itself: its health status to clients, and its load to other instances. */
export class InstanceReport {
  private readonly options: ReportOptions;
  private readonly sources: ReportSources;
  private readonly evaluation = new HealthEvaluation();

  constructor(options: ReportOptions, sources: ReportSources) {
    this.options = options;
    this.sources = sources;
  }

  verdict(): HealthReport {
    const { isDraining, storageIssues, healthIssues, uptimeMs, longRequestMs, clock } = this.options;
    const longRequests = this.describeLongRequests();
    const { stats, seconds } = this.sources.minutes.over(60);
    const issues = [
      ...storageIssues(),
      ...this.sources.traffic.issues(),
      ...(healthIssues?.() ?? []),
      ...this.sources.lost.issues(this.sources.dropped()),
      ...findSystemIssues({
        seconds: this.sources.seconds.slice(-60).map(({ system }) => system),
        diskForecast: this.sources.diskWatch.forecast,
        longRequests,
        longRequestMs,
        stalls: this.sources.stalls.list(),
      }),
    ];
    return {
      ...this.evaluation.evaluate(isDraining(), issues, clock.now()),
      uptime_seconds: Math.floor(uptimeMs() / 1_000),
      ...toRates(stats, seconds),
      error_limit: this.options.limitsOf(undefined).errorShare.value,
      long_requests: longRequests.listed.map(toLongResponse),
    };
  }

  /** What this instance reports to the others. */
  status(): InstanceStatus {
    const { activeRuns, isFenced, connections, inFlight } = this.options;
    const runs = (activeRuns?.() ?? []).flatMap(({ run }) => run ?? []);
    const { stats, seconds } = this.sources.minutes.over(10);
    return {
      verdict: this.verdict(),
      ...toRates(stats, seconds),
      connections: connections(),
      in_flight: inFlight(),
      system: this.sources.system(),
      run_count: runs.length,
      runs: runs
        .sort((one, other) => one.startedAt - other.startedAt)
        .slice(0, maxListedRuns)
        .map(({ jobId, runId, startedAt }) => ({ job_id: jobId, run_id: runId, started_at: startedAt })),
      is_fenced: isFenced?.() ?? false,
    };
  }

  /** Redacts the paths. */
  private describeLongRequests(): LongRequests {
    const { longRequests, redactor = defaultRedactor } = this.options;
    const { listed, ...counts } = longRequests();
    return {
      ...counts,
      listed: listed.map((request) => ({
        ...request,
        path: redactor.path(cutText(request.path), request.route),
      })),
    };
  }
}
