import type { Client, FinishedRequest, Route } from "../../http/index.ts";

/** A request of a moment ago. */
export interface RecentRequest {
  /** Counted up from the start of the process. */
  readonly number: number;
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

/** Of a longer text only the beginning is kept: sixteen thousand letters of a stranger's, a thousand times over, are too much. */
const maxTextLength = 512;

/** Nobody reads more in a second; of those that failed as many again are kept, since they are what people look for. */
const keptPerTurn = 200;

/**
 * The last requests, for people who want to see what is going on. A slot is made once and written over again, field
 * by field. Keeping the texts of a request alive costs more than counting it, so of a flood only some are kept.
 */
export class RecentRequests {
  private readonly slots: Slot[] = [];
  private readonly capacity: number;
  /** How many have been kept so far. */
  private count = 0;
  private room = keptPerTurn;
  private roomForFailed = keptPerTurn;

  constructor(capacity = 1_000) {
    this.capacity = capacity;
  }

  /** Begins a new second. */
  turn(): void {
    this.room = keptPerTurn;
    this.roomForFailed = keptPerTurn;
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
    slot.path = request.path.length > maxTextLength ? cutText(request.path) : request.path;
    slot.route = request.route;
    slot.statusCode = request.statusCode;
    slot.durationMs = request.durationMs;
    slot.bytesIn = request.contentLength;
    slot.bytesOut = request.bytesSent;
    slot.client = request.client;
  }

  /** The newest first, at most that many; with `after`, only those that came after the request of that number. */
  list({ limit, after = 0 }: { limit: number; after?: number }): RecentRequest[] {
    const found: RecentRequest[] = [];
    const oldest = Math.max(after, this.count - this.capacity);
    for (let number = this.count; number > oldest && found.length < limit; number--) {
      found.push(describe(this.slots[(number - 1) % this.capacity]!, number));
    }
    return found;
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
}

function describe(slot: Slot, number: number): RecentRequest {
  const { traceId, method, statusCode, durationMs, bytesIn, bytesOut, client, route } = slot;
  return {
    number,
    time: Math.round(performance.timeOrigin + slot.endedAt),
    traceId,
    method,
    path: slot.path,
    ...(route && { route: route.pattern.text }),
    statusCode,
    durationMs,
    bytesIn,
    bytesOut,
    ip: client!.ip,
    userAgent: cutText(client!.userAgent),
  };
}

/** The beginning of a text, as a text of its own: a slice would keep the whole alive. */
export function cutText(text: string, length = maxTextLength): string {
  if (text.length <= length) return text;
  return `${Buffer.from(text.slice(0, length).toWellFormed()).toString()}…`;
}
