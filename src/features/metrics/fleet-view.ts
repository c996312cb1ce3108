import { createId } from "../../lib/ids.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";
import type { Caller } from "../../lib/worker/contract.ts";
import type { FleetRequestQuery, FoundRequests } from "./fleet/fleet-requests.ts";
import { formatMarks, nothingRead, type RecentMarks, unreadSince } from "./fleet/recent-marks.ts";
import type { HistoryCalls } from "./history/calls.ts";
import { createRecentFilter } from "./requests/recent-filter.ts";
import type { RecentDetail, RecentRequest, RecentRequests } from "./requests/recent-requests.ts";
import { toDetailResponse, toInstanceResponse, toRecentResponse } from "./responses.ts";
import type * as wire from "./wire.ts";

export interface FleetViewOptions {
  readonly instance: string;
  /** Whether other instances use the same database. */
  readonly isShared: boolean;
  readonly clock: AlarmClock;
  readonly history: Caller<HistoryCalls>;
  readonly recent: RecentRequests;
  /** Identifies this process among those of the instance. */
  readonly epoch: string;
  status(): wire.InstanceStatus;
}

/** In the order of the starts, unless the clock of the machine is set back by more than the time between two starts. */
export const createEpoch = () => `${Date.now().toString(36).padStart(9, "0")}${createId(4)}`;

export interface FleetQuery extends Omit<FleetRequestQuery, "after"> {
  /** Only requests of this process, after the one with this number; 0 for all. */
  readonly after: number;
  readonly marks: RecentMarks;
}

/** Fewer than this process remembers, because each one is written to the database. */
const sharedPerSecond: wire.RecentLimits["sharedPerSecond"] = 50;
export const beatEverySeconds = 5;
/** The requests of this process are shown even if the database does not respond. */
const waitMs = 1_000;
const maxConcurrent = 50;

/** The requests and the status of all instances, and the part of them that this instance shares. */
export class FleetView {
  private readonly options: FleetViewOptions;
  private sharedUntil = 0;
  private beatIn = 0;

  constructor(options: FleetViewOptions) {
    this.options = options;
  }

  /**
   * Called once a second, or less often with the number of seconds that have passed. Returns the requests that other
   * instances show as well, and reports the status.
   */
  turn(seconds = 1): RecentRequest[] {
    const { isShared, recent, history, status } = this.options;
    if (!isShared) return [];
    if (this.beatIn <= 0) {
      history.post("beat", [status()]);
      this.beatIn = beatEverySeconds;
    }
    this.beatIn -= seconds;
    const requests = recent.sample(this.sharedUntil, sharedPerSecond);
    this.sharedUntil = recent.newest;
    return requests;
  }

  leave(): void {
    this.options.history.post("leave", []);
  }

  async list(query: FleetQuery): Promise<wire.RecentRequests> {
    const { instance, recent, epoch } = this.options;
    // More requests may end while the others are read. They come with the next call.
    const { newest } = recent;
    const own = this.listOwn(query).map((request) => ({ ...request, instance }));
    const isFound = query.filter.traceId !== undefined && own.length > 0;
    const { requests, marks } =
      query.after > 0 || isFound ? nothing : await this.findOthers({ ...query, after: query.marks });
    const all = [...own, ...requests].sort((one, other) => other.time - one.time).slice(0, query.limit);
    return {
      instance,
      newest,
      cursor: formatMarks(new Map([...marks, [epoch, newest]])),
      requests: all.map((request) => toRecentResponse(request.instance, request)),
    };
  }

  async find(traceId: string): Promise<wire.RequestDetail | undefined> {
    const { instance, recent } = this.options;
    const own = recent.find(traceId);
    if (own) return toDetailResponse(instance, own);
    const all = { after: noMarks, limit: Number.MAX_SAFE_INTEGER };
    const { requests } = await this.findOthers({ ...all, filter: { traceId } });
    const [found] = requests;
    if (!found) return undefined;
    const others = await this.findOthers({ ...all, filter: {}, instance: found.instance });
    return toDetailResponse(found.instance, { ...found, inFlight: besideOf(found, others.requests) });
  }

  async instances(): Promise<wire.InstanceList> {
    const { instance, isShared, clock, history, status } = this.options;
    const records = await history.call("instances");
    const now = clock.now();
    const instances = records.map((record) => {
      const listed = toInstanceResponse(record, now);
      if (record.instance !== instance) return listed;
      return { ...listed, seen_at: now, state: "running" as const, ...(isShared && { status: status() }) };
    });
    return { now, is_shared: isShared, instances };
  }

  private listOwn({ limit, after, marks, filter, instance }: FleetQuery): RecentRequest[] {
    const { recent, instance: own, epoch, clock } = this.options;
    if (instance !== undefined && instance !== own) return [];
    const since = unreadSince(marks, epoch, clock.now());
    const isWanted = createRecentFilter(filter);
    return recent.list({
      limit,
      after: Math.max(after, marks.get(epoch) ?? 0),
      matches: (request) => request.time > since && isWanted(request),
    });
  }

  private async findOthers({ after, filter, limit, instance }: FleetRequestQuery): Promise<FoundRequests> {
    const { isShared, history, clock } = this.options;
    if (!isShared) return nothing;
    const found = history.call("fleetRequests", { after, filter, limit, instance });
    // Only the database knows whether the trace exists.
    if (filter.traceId !== undefined) return found;
    const late = Promise.withResolvers<FoundRequests>();
    // The client asks again with the same marks.
    const unread = { requests: [], marks: after.size === 0 ? nothingRead : after };
    const cancel = clock.after(waitMs, () => late.resolve(unread));
    try {
      return await Promise.race([found, late.promise]);
    } catch {
      // The health status has the reason.
      return unread;
    } finally {
      cancel();
    }
  }
}

const noMarks: RecentMarks = new Map();
const nothing: FoundRequests = { requests: [], marks: noMarks };

function besideOf(request: RecentRequest, others: readonly RecentRequest[]): RecentDetail["inFlight"] {
  return others
    .filter(
      (other) =>
        other.traceId !== request.traceId && other.startedAt < request.time && request.startedAt < other.time,
    )
    .slice(0, maxConcurrent)
    .sort((one, other) => one.startedAt - other.startedAt);
}
