import type { AlarmClock } from "../../../lib/time/clock.ts";
import type { Database } from "../../../storage/index.ts";
import { createRecentFilter, type RecentFilter } from "../requests/recent-filter.ts";
import type { RecentRequest } from "../requests/recent-requests.ts";
import { markedMs, type RecentMarks, unreadSince } from "./recent-marks.ts";
import { keptRecentMs, type RecentPagesOptions, readPage } from "./recent-pages.ts";
import type { FleetTables } from "./tables.ts";

/** A recent request and the instance that handled it. */
export interface FleetRequest extends RecentRequest {
  readonly instance: string;
}

export interface FleetRequestQuery {
  /** Only requests after these. */
  readonly after: RecentMarks;
  readonly filter: RecentFilter;
  readonly limit: number;
  /** Default: all instances. */
  readonly instance?: string | undefined;
}

export interface FoundRequests {
  /** Newest first. */
  readonly requests: readonly FleetRequest[];
  /** Of the newest request of each instance, whether it matches or not. */
  readonly marks: RecentMarks;
}

interface Page {
  readonly instance: string;
  readonly epoch: string;
  readonly version: string;
  readonly requests: readonly RecentRequest[];
}

/** The pages are checked for changes at most this often, and removed from memory if they are not used for a while. */
const refreshMs = 2_000;
const unusedMs = 60_000;
/** Limits the parameters of a statement, and the memory for the pages that it returns. */
const pagesPerQuery = 1_000;

/** The recent requests of all instances except those that this process handled, which are in its memory. */
export class FleetRequests {
  private readonly database: Database;
  private readonly clock: AlarmClock;
  private readonly own: RecentPagesOptions;
  private pages = new Map<string, Page>();
  private reading: Promise<void> | undefined;
  private readAt: number | undefined;
  private cancelForget: (() => void) | undefined;

  constructor(database: Database, clock: AlarmClock, own: RecentPagesOptions) {
    this.database = database;
    this.clock = clock;
    this.own = own;
  }

  async find({ after, filter, limit, instance }: FleetRequestQuery): Promise<FoundRequests> {
    await this.refresh();
    const matches = createRecentFilter(filter);
    const requests: FleetRequest[] = [];
    const marks = new Map<string, number>();
    const now = this.clock.now();
    for (const [name, pages] of Map.groupBy(this.pages.values(), (page) => page.instance)) {
      const epoch = this.latestEpoch(name, pages);
      const current = pages.filter((page) => page.epoch === epoch);
      const newest = newestOf(current);
      if (newest && newest.time > now - markedMs) marks.set(epoch, newest.number);
      if (instance !== undefined && instance !== name) continue;
      // A client that knows the current process has read all about the ones before.
      for (const page of after.has(epoch) ? current : pages) {
        const least = after.get(page.epoch) ?? 0;
        const since = Math.max(now - keptRecentMs, unreadSince(after, page.epoch, now));
        for (const request of page.requests)
          if (request.number > least && request.time > since && matches(request))
            requests.push({ ...request, instance: name });
      }
    }
    requests.sort((one, other) => other.time - one.time);
    return { requests: requests.slice(0, limit), marks };
  }

  close(): void {
    this.cancelForget?.();
  }

  private latestEpoch(instance: string, pages: readonly Page[]): string {
    if (instance === this.own.instance) return this.own.epoch;
    return pages.reduce((latest, { epoch }) => (epoch > latest ? epoch : latest), "");
  }

  /** The interval begins when a read ends, so that slow reads neither overlap nor follow each other immediately. */
  private async refresh(): Promise<void> {
    this.forgetLater();
    const isDue = this.readAt === undefined || this.clock.elapsed() - this.readAt >= refreshMs;
    if (!this.reading && isDue) {
      this.reading = this.read().finally(() => {
        this.reading = undefined;
      });
    }
    await this.reading;
  }

  /** Reads the versions of all pages, and the contents of those that changed. */
  private async read(): Promise<void> {
    const tables = this.database.tables<FleetTables>();
    const rows = await tables
      .selectFrom("annex_recent_requests")
      .select(["instance", "page", "epoch", "version"])
      .execute();
    const { own } = this;
    const others = rows.filter(({ instance, epoch }) => instance !== own.instance || epoch !== own.epoch);
    const changed = others.filter((row) => this.pages.get(keyOf(row))?.version !== row.version);
    const fresh = new Map<string, Page>();
    for (let at = 0; at < changed.length; at += pagesPerQuery) {
      const versions = changed.slice(at, at + pagesPerQuery).map(({ version }) => version);
      const bodies = await tables
        .selectFrom("annex_recent_requests")
        .selectAll()
        .where("version", "in", versions)
        .execute();
      for (const { body, ...row } of bodies) fresh.set(keyOf(row), { ...row, requests: readPage(body) });
    }
    // A page that was overwritten in the meantime is read the next time.
    const known = others.flatMap((row) => {
      const page = fresh.get(keyOf(row)) ?? this.pages.get(keyOf(row));
      return page ? [[keyOf(row), page] as const] : [];
    });
    this.pages = new Map(known);
    this.readAt = this.clock.elapsed();
  }

  private forgetLater(): void {
    this.cancelForget?.();
    this.cancelForget = this.clock.after(unusedMs, () => {
      this.pages = new Map();
      this.readAt = undefined;
    });
  }
}

const keyOf = ({ instance, page }: { instance: string; page: number }) => `${page} ${instance}`;

function newestOf(pages: readonly Page[]): RecentRequest | undefined {
  const newest = pages.flatMap(({ requests }) => requests.at(-1) ?? []);
  return newest.sort((one, other) => other.number - one.number)[0];
}
