import type { PastIssue } from "../../../feature/index.ts";
import { messageOf } from "../../../lib/thrown.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import { RemovalReport } from "../../../lib/time/removal.ts";
import type { Database } from "../../../storage/index.ts";
import type { ErrorGroup } from "../failures/error-log.ts";
import { FleetRequests } from "../fleet/fleet-requests.ts";
import { InstanceStore } from "../fleet/instance-store.ts";
import { RecentPages } from "../fleet/recent-pages.ts";
import { findPastTraffic } from "../health/traffic/past-traffic.ts";
import type { LimitOptions } from "../health/traffic/route-limits.ts";
import type { RecentRequest } from "../requests/recent-requests.ts";
import type { FoundStall } from "../stalls/stall.ts";
import { toStall } from "../stalls/to-stall.ts";
import type { Stall } from "../wire/stalls.ts";
import type * as wire from "../wire.ts";
import { packSlots } from "./blocks/packing.ts";
import { compactSlots } from "./compaction.ts";
import { keptErrorsSeconds, purgeErrors, purgeStalls } from "./error-retention.ts";
import { type ErrorFilter, type ErrorWindow, findError, listErrors, writeErrors } from "./error-store.ts";
import { chooseStep, keptSecondsOf } from "./levels.ts";
import { createNames } from "./names.ts";
import { unseenShare } from "./queries/periods.ts";
import { createQueries, type Queries } from "./queries/queries.ts";
import type {
  InSeconds,
  PastQuery,
  RequestSeries,
  RouteTable,
  SlowestRequests,
  SystemSeries,
} from "./queries/query.ts";
import { Recorder } from "./recorder.ts";
import { expireSlots, holdSize, measure, purgeInstances, purgeRecent } from "./retention.ts";
import type { SecondRecord } from "./slot.ts";
import { createSlotStore } from "./slot-store.ts";
import { listStalls, type StallPage, type StallQuery, writeStalls } from "./stall-store.ts";
import { metricStore } from "./tables.ts";

export interface HistoryOptions {
  readonly database: Database;
  readonly clock: AlarmClock;
  /** Name of this instance: its machine or container. */
  readonly instance: string;
  /** Properties that do not change while the process runs. */
  readonly description: object;
  readonly maxBytes: number;
  /** Identifies the process among those of the instance. */
  readonly epoch?: string | undefined;
  /** Reports why writes are failing; `undefined` reports recovery. */
  report(reason: string | undefined): void;
}

export type ErrorTable = InSeconds<wire.ErrorTable>;
/** One kind of error, with the period of its counts. */
export type ErrorResult = InSeconds<wire.ErrorDetail>;

/** Result of the maintenance. */
export interface Upkeep {
  /** Number of hours and days created. */
  readonly compacted: number;
  /** Deleted slots: expired ones, and those beyond the size limit. */
  readonly expired: number;
  readonly crowdedOut: number;
  /** Deleted kinds of errors that have not occurred for long. */
  readonly errors: number;
}

/**
 * A killed process loses what it has not written. A local file is written after each second. On a shared server, all
 * instances update the same marks, so they write less often.
 */
const flushMs = { sqlite: 100, postgres: 5_000 } as const;
const maxWaitingErrors = 1_000;
const maxWaitingStalls = 200;

/** Stores and queries the metrics history. */
export class History {
  private readonly options: HistoryOptions;
  private readonly recorder = new Recorder();
  private readonly names;
  private readonly store;
  private readonly queries: Queries;
  private errors: ErrorGroup[] = [];
  private waitingStalls: Stall[] = [];
  private writtenStalls = 0;
  private work: Promise<void> = Promise.resolve();
  private cancelFlush: (() => void) | undefined;
  private writtenBytes = 0;
  private sizing: Promise<number> = Promise.resolve(0);
  private readonly closing = new AbortController();
  private maxBytes: number;
  readonly instances: InstanceStore;
  /** The recent requests of the other instances. */
  readonly fleet: FleetRequests;
  private readonly recentPages: RecentPages;
  private readonly removal = new RemovalReport();
  /** Errors and stalls before these times, in seconds, were too many. */
  private readonly crowdedUntil = { errors: 0, stalls: 0 };
  /** Errors dropped because of the limit of kinds or because they could not be stored for too long. */
  private droppedErrors = 0;

  constructor(options: HistoryOptions) {
    this.options = options;
    this.maxBytes = options.maxBytes;
    this.names = createNames(options.database);
    this.store = createSlotStore(options.database, this.names);
    this.queries = createQueries(options.database, this.names, () => this.now());
    this.instances = new InstanceStore(options);
    const own = { instance: options.instance, epoch: options.epoch ?? "" };
    this.fleet = new FleetRequests(options.database, options.clock, own);
    this.recentPages = new RecentPages(own);
  }

  /** `recent` are requests that other instances show as well. */
  record(second: SecondRecord, errors: readonly ErrorGroup[], recent: readonly RecentRequest[] = []): void {
    this.recorder.add(second);
    this.recentPages.add(recent);
    if (this.errors.length < maxWaitingErrors) this.errors.push(...errors);
    else for (const { count } of errors) this.droppedErrors += count;
    this.flushSoon();
  }

  /** Returns the stall in the format of the API. */
  addStall(found: FoundStall): Stall {
    const stall = toStall(found, this.options.instance);
    if (this.waitingStalls.length < maxWaitingStalls) this.waitingStalls.push(stall);
    this.flushSoon();
    return stall;
  }

  async stalls(query: StallQuery): Promise<StallPage> {
    await this.flush();
    return listStalls(this.options.database, query);
  }

  private flushSoon(): void {
    const { clock, database } = this.options;
    this.cancelFlush ??= clock.after(flushMs[database.engine], () => void this.flush());
  }

  /** Writes changed slots. Slots that fail to be written are retained and retried with the next write. */
  flush(): Promise<void> {
    this.cancelFlush?.();
    this.cancelFlush = undefined;
    this.work = this.work.then(() => this.write());
    return this.work;
  }

  async requests(query: PastQuery): Promise<RequestSeries> {
    await this.flush();
    return this.queries.requests(query);
  }

  async routes(query: PastQuery): Promise<RouteTable> {
    await this.flush();
    return this.queries.routes(query);
  }

  async slowest(query: PastQuery): Promise<SlowestRequests> {
    await this.flush();
    return this.queries.slowest(query);
  }

  async system(query: PastQuery): Promise<SystemSeries> {
    await this.flush();
    return this.queries.system(query);
  }

  /** Error rates and latencies that were too high in a period. */
  async trafficIssues(query: PastQuery, limits: LimitOptions): Promise<PastIssue[]> {
    await this.flush();
    return findPastTraffic({
      period: query,
      limits,
      readRoutes: (period) => this.queries.routes({ ...period, instance: query.instance }),
      readSteps: (period, points) => this.queries.routeSteps({ ...query, ...period, points }),
    });
  }

  async listErrors(query: PastQuery, filter: ErrorFilter = {}): Promise<ErrorTable> {
    await this.flush();
    const window = await this.errorWindow(query);
    const { from, to, step } = window;
    const has_earlier = await this.store.hasBefore(from);
    // A whole hour must not be compared with five minutes.
    const compare = await this.store.hasBefore(from - (to - from) * (1 - unseenShare));
    const found = await listErrors(this.options.database, window, { ...filter, compare });
    return { from, to, step, has_earlier, ...found };
  }

  async findError(fingerprint: string, query: PastQuery): Promise<ErrorResult | undefined> {
    await this.flush();
    const window = await this.errorWindow(query);
    const { from, to, step } = window;
    const found = await findError(this.options.database, fingerprint, window);
    return found && { from, to, step, has_earlier: await this.store.hasBefore(from), ...found };
  }

  private async errorWindow({ from, to, points = 60, instance }: PastQuery): Promise<ErrorWindow> {
    // Errors are counted per minute.
    const step = Math.max(60, chooseStep(from, to, points, await this.store.extents(this.now())));
    return { from: from - (from % step), to: Math.ceil(to / step) * step, step, instance };
  }

  async size(): Promise<wire.HistorySize> {
    const now = this.now();
    const extents = await this.store.extents(now);
    const levels = await measure(this.options.database);
    return {
      name: metricStore.name,
      bytes: levels.reduce((sum, { bytes }) => sum + bytes, 0),
      max_bytes: this.maxBytes,
      levels: levels.map(({ level, bytes, rows }) => ({
        level,
        bytes,
        rows,
        kept_seconds: keptSecondsOf(level),
        ...(extents[level].since > now - keptSecondsOf(level) && {
          fits_seconds: now - extents[level].since,
        }),
      })),
      removing: this.removal.current,
      crowded: this.crowded(now),
      dropped: this.recorder.dropped,
      dropped_errors: this.droppedErrors,
    };
  }

  /** Changes the maximum size of the history. Excess data is deleted with the next maintenance. */
  limit(maxBytes: number): void {
    this.maxBytes = maxBytes;
  }

  /** Merges slots into hours and days, packs what they cover, and deletes expired and excess data. */
  async maintain(): Promise<Upkeep> {
    await this.flush();
    const { database } = this.options;
    const now = this.now();
    const compacted = await compactSlots(database, this.names, now);
    await packSlots(database);
    return {
      compacted,
      expired: await this.removal.during((onProgress) => expireSlots(database, now, { onProgress })),
      crowdedOut: await this.holdSize(),
      errors: await this.forget(now),
    };
  }

  private async forget(now: number): Promise<number> {
    await purgeInstances(this.options.database, now);
    await purgeRecent(this.options.database, now);
    await this.purgeStalls(now * 1_000);
    const { kinds, crowdedUntil } = await this.removal.during((onProgress) =>
      purgeErrors(this.options.database, now, { onProgress }),
    );
    this.crowdedUntil.errors = Math.max(this.crowdedUntil.errors, crowdedUntil);
    return kinds;
  }

  private async purgeStalls(nowMs: number): Promise<void> {
    const until = await purgeStalls(this.options.database, nowMs);
    this.crowdedUntil.stalls = Math.max(this.crowdedUntil.stalls, until / 1_000);
  }

  private crowded(now: number): wire.HistorySize["crowded"] {
    return (["errors", "stalls"] as const)
      .map((of) => ({ of, kept_seconds: keptErrorsSeconds, fits_seconds: now - this.crowdedUntil[of] }))
      .filter(({ fits_seconds, kept_seconds }) => fits_seconds < kept_seconds);
  }

  async close(): Promise<void> {
    this.fleet.close();
    await this.flush();
    this.closing.abort();
    await this.sizing.catch(() => {});
  }

  private async write(): Promise<void> {
    const { instance, report } = this.options;
    const slots = this.recorder.take();
    const errors = this.errors.splice(0);
    const stalls = this.waitingStalls.splice(0);
    const isWaiting = this.instances.isWaiting || this.recentPages.hasChanged;
    if (slots.length === 0 && errors.length === 0 && stalls.length === 0 && !isWaiting) return;
    try {
      const written = await this.store.write(instance, slots, this.now());
      slots.length = 0;
      this.droppedErrors += await writeErrors(this.options.database, instance, errors);
      errors.length = 0;
      await this.writeStalls(stalls);
      stalls.length = 0;
      await this.recentPages.write(this.options.database);
      await this.instances.write();
      report(undefined);
      this.guardSize(written);
    } catch (error) {
      this.recorder.giveBack(slots);
      this.errors.unshift(...errors);
      this.waitingStalls.unshift(...stalls);
      report(messageOf(error));
    }
  }

  /** The maintenance deletes the oldest ones once an hour, which is too rarely for a loop that is always blocked. */
  private async writeStalls(stalls: readonly Stall[]): Promise<void> {
    const { database, clock } = this.options;
    await writeStalls(database, stalls);
    this.writtenStalls += stalls.length;
    if (this.writtenStalls < maxWaitingStalls) return;
    this.writtenStalls = 0;
    await this.purgeStalls(clock.now());
  }

  /** Checks the size between the hourly maintenance runs, in case of a flood. Writes and queries do not wait for it. */
  private guardSize(written: number): void {
    this.writtenBytes += written;
    if (this.writtenBytes < this.maxBytes * uncheckedShare) return;
    this.writtenBytes = 0;
    this.holdSize().catch((error) => {
      if (!this.closing.signal.aborted) this.options.report(messageOf(error));
    });
  }

  /** One at a time, so that none counts what another one is deleting. */
  private holdSize(): Promise<number> {
    const { database } = this.options;
    this.sizing = this.sizing.catch(() => 0).then(() => database.deleting(() => this.removeExcess()));
    return this.sizing;
  }

  private removeExcess(): Promise<number> {
    const { signal } = this.closing;
    return this.removal.during((onProgress) =>
      holdSize(this.options.database, this.maxBytes, { signal, onProgress }),
    );
  }

  private now(): number {
    return Math.floor(this.options.clock.now() / 1_000);
  }
}

/** Share of the size limit that may be written before the size is checked. */
const uncheckedShare = 0.05;
