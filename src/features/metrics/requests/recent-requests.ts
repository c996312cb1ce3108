import { Client, type FinishedRequest, type Route } from "../../../http/index.ts";
import { defaultRedactor, type Redactor } from "../../../lib/redaction/redactor.ts";
import type { RecentLimits } from "../wire.ts";
import { cutText } from "./cut-text.ts";
import { cutHeaders, describeHeaders, type Header } from "./request-headers.ts";

/** A recent request. */
export interface RecentRequest {
  /** Sequence number since the start of the process. */
  readonly number: number;
  /** Start and end, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly time: number;
  readonly traceId: string;
  readonly method: string;
  readonly path: string;
  /** The route's pattern; absent if no route matched. */
  readonly route?: string;
  readonly statusCode: number;
  readonly durationMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly ip: string;
  readonly userAgent: string;
}

/** A request with the details shown for a single one. */
export interface RecentDetail extends RecentRequest {
  /** Redacted. */
  readonly headers: readonly Header[];
  /**
   * Other known requests that were in flight at the same time, ordered by start. The newest ones if there are too many.
   */
  readonly inFlight: readonly RecentRequest[];
}

export interface RecentQuery {
  /** Maximum number of requests, newest first. */
  readonly limit: number;
  /** Only requests after the one with this number. */
  readonly after?: number;
  /** Only requests for which this returns true. */
  readonly matches?: (request: RecentRequest) => boolean;
}

/** Maximum number of concurrent requests shown with a request. */
const maxInFlight = 50;

/** More requests per second are not readable. The same number of failed requests is recorded in addition. */
const keptPerTurn: RecentLimits["perSecond"] = 200;
const kept: RecentLimits["kept"] = 1_000;

/**
 * The last requests, for live views. Slots are allocated once and overwritten. Retaining the strings of a request costs
 * more than counting it, so only some of the requests are recorded under heavy load.
 */
export class RecentRequests {
  private readonly slots: Slot[] = [];
  private readonly capacity: number;
  private readonly redactor: Redactor;
  /** Number of recorded requests. */
  private count = 0;
  /** Requests up to this number have been shortened. */
  private shortened = 0;
  private room = keptPerTurn;
  private roomForFailed = keptPerTurn;

  constructor(capacity: number = kept, redactor: Redactor = defaultRedactor) {
    this.capacity = capacity;
    this.redactor = redactor;
  }

  /** Number of the last request. */
  get newest(): number {
    return this.count;
  }

  /** Starts a new second. */
  turn(): void {
    this.room = keptPerTurn;
    this.roomForFailed = keptPerTurn;
    for (let number = Math.max(this.shortened, this.oldest); number < this.count; number++) {
      shorten(this.slots[number % this.capacity]!);
    }
    this.shortened = this.count;
  }

  add(request: FinishedRequest): void {
    if (this.room > 0) this.room--;
    else if (request.statusCode < 400 || this.roomForFailed-- <= 0) return;
    const index = this.count++ % this.capacity;
    let slot = this.slots[index];
    if (slot === undefined) {
      slot = new Slot();
      this.slots[index] = slot;
    }
    slot.endedAt = request.startedAt + request.durationMs;
    slot.traceId = request.traceId;
    slot.method = request.method;
    slot.path = request.path;
    slot.route = request.route;
    slot.statusCode = request.statusCode;
    slot.durationMs = request.durationMs;
    slot.bytesIn = request.contentLength;
    slot.bytesOut = request.bytesSent;
    slot.client = request.client;
    slot.rawHeaders = request.rawHeaders;
  }

  list({ limit, after = 0, matches = () => true }: RecentQuery): RecentRequest[] {
    const found: RecentRequest[] = [];
    const oldest = Math.max(after, this.oldest);
    for (let number = this.count; number > oldest && found.length < limit; number--) {
      const request = describe(this.slots[(number - 1) % this.capacity]!, number, this.redactor);
      if (matches(request)) found.push(request);
    }
    return found;
  }

  /** The newest requests after the one with this number, oldest first: up to `limit`, and as many failed ones. */
  sample(after: number, limit: number): RecentRequest[] {
    const found: RecentRequest[] = [];
    const oldest = Math.max(after, this.oldest);
    let room = limit;
    let roomForFailed = limit;
    for (let number = this.count; number > oldest && room + roomForFailed > 0; number--) {
      const slot = this.slots[(number - 1) % this.capacity]!;
      if (room > 0) room--;
      else if (slot.statusCode >= 400 && roomForFailed > 0) roomForFailed--;
      else continue;
      found.push(describe(slot, number, this.redactor));
    }
    return found.reverse();
  }

  find(traceId: string): RecentDetail | undefined {
    for (let number = this.count; number > this.oldest; number--) {
      const slot = this.slots[(number - 1) % this.capacity]!;
      if (slot.traceId !== traceId) continue;
      const headers = describeHeaders(slot.rawHeaders, this.redactor);
      return { ...describe(slot, number, this.redactor), headers, inFlight: this.beside(slot) };
    }
    return undefined;
  }

  private beside(slot: Slot): RecentRequest[] {
    const found: RecentRequest[] = [];
    for (let number = this.count; number > this.oldest && found.length < maxInFlight; number--) {
      const other = this.slots[(number - 1) % this.capacity]!;
      if (other !== slot && overlaps(other, slot)) found.push(describe(other, number, this.redactor));
    }
    return found.sort((one, other) => one.startedAt - other.startedAt || one.number - other.number);
  }

  /** The number before the first available request. */
  private get oldest(): number {
    return Math.max(0, this.count - this.capacity);
  }
}

class Slot {
  endedAt = 0;
  traceId = "";
  method = "";
  path = "";
  route: Route | undefined = undefined;
  statusCode = 0;
  durationMs = 0;
  bytesIn = 0;
  bytesOut = 0;
  client: Client | undefined = undefined;
  rawHeaders: readonly string[] = [];
}

/**
 * Truncates texts: a thousand requests with up to 16,000 characters each would use too much memory. Paths and trace IDs
 * are slices that retain longer strings, so they are copied. This runs once per second, so that requests do not wait
 * for it; the number of requests recorded per second is small enough.
 */
function shorten(slot: Slot): void {
  const client = slot.client!;
  slot.traceId = copyText(slot.traceId);
  slot.path = copyText(cutText(slot.path));
  slot.rawHeaders = cutHeaders(slot.rawHeaders);
  const userAgent = cutText(client.userAgent);
  if (userAgent !== client.userAgent) slot.client = new Client(client.ip, userAgent);
}

const copyText = (text: string) => Buffer.from(text.toWellFormed()).toString();

function overlaps(one: Slot, other: Slot): boolean {
  return one.endedAt - one.durationMs < other.endedAt && other.endedAt - other.durationMs < one.endedAt;
}

function describe(slot: Slot, number: number, redactor: Redactor): RecentRequest {
  const { traceId, method, statusCode, durationMs, bytesIn, bytesOut, client, route } = slot;
  return {
    number,
    startedAt: Math.round(performance.timeOrigin + slot.endedAt - durationMs),
    time: Math.round(performance.timeOrigin + slot.endedAt),
    traceId,
    method,
    path: redactor.path(cutText(slot.path), route?.pattern.text),
    ...(route && { route: route.pattern.text }),
    statusCode,
    durationMs,
    bytesIn,
    bytesOut,
    ip: client!.ip,
    userAgent: cutText(client!.userAgent),
  };
}
