import { Client, type FinishedRequest, type Route } from "../../http/index.ts";
import { defaultRedactor, type Redactor } from "../../lib/redactor.ts";
import { cutText } from "./cut-text.ts";
import { cutHeaders, describeHeaders, type Header } from "./request-headers.ts";

/** A request of a moment ago. */
export interface RecentRequest {
  /** Counted up from the start of the process. */
  readonly number: number;
  /** When it began and when it ended, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly time: number;
  readonly traceId: string;
  readonly method: string;
  readonly path: string;
  /** The route's pattern; absent where none matched. */
  readonly route?: string;
  readonly statusCode: number;
  readonly durationMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly ip: string;
  readonly userAgent: string;
}

/** One of them, with what is only told of one. */
export interface RecentDetail extends RecentRequest {
  /** Without what is secret. */
  readonly headers: readonly Header[];
  /** Others that are still known and were under way at the same time, the newest of too many, in the order of their beginning. */
  readonly inFlight: readonly RecentRequest[];
}

export interface RecentQuery {
  /** At most so many, the newest first. */
  readonly limit: number;
  /** Only those that came after the request of this number. */
  readonly after?: number;
  /** Only those that this holds for. */
  readonly matches?: (request: RecentRequest) => boolean;
}

/** Others that are told beside a request. */
const maxInFlight = 50;

/** Nobody reads more in a second; of those that failed as many again are kept, since they are what people look for. */
const keptPerTurn = 200;

/**
 * The last requests, for people who want to see what is going on. A slot is made once and written over again, field
 * by field. Keeping the texts of a request alive costs more than counting it, so of a flood only some are kept.
 */
export class RecentRequests {
  private readonly slots: Slot[] = [];
  private readonly capacity: number;
  private readonly redactor: Redactor;
  /** How many have been kept so far. */
  private count = 0;
  /** Up to which number they hold no more text than anybody reads. */
  private shortened = 0;
  private room = keptPerTurn;
  private roomForFailed = keptPerTurn;

  constructor(capacity = 1_000, redactor: Redactor = defaultRedactor) {
    this.capacity = capacity;
    this.redactor = redactor;
  }

  /** The number of the last one. */
  get newest(): number {
    return this.count;
  }

  /** Begins a new second. */
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

  /** The number before that of the first that is still there. */
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
 * Lets go of what nobody reads: sixteen thousand letters of a stranger's, a thousand times over, are too much. A path and a
 * trace ID are slices that keep a longer text alive, so they are copied. It is done once a second, because a
 * request should not wait for it, and in a second not so many are kept that their whole texts would matter.
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
