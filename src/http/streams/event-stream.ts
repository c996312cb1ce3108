import { eventStreamType } from "../../lib/event-stream-type.ts";
import { isPromiseLike } from "../../lib/promise-like.ts";
import type { AlarmClock } from "../../lib/time/clock.ts";
import { type FailedExchange, respondWithError } from "../errors/error-response.ts";
import { formatEvent, type ServerSentEvent } from "./event-format.ts";
import type { OpenStreams } from "./open-streams.ts";
import { isAbort, type Shutdown } from "./shutdown.ts";
import { UnreadData } from "./unread-data.ts";

/** An open stream of server-sent events. */
export interface EventStream<Data = unknown> {
  /** Aborts when the client disconnects, the server stops or the superuser's session ends. */
  readonly signal: AbortSignal;
  /** The ID of the last event that the client received before it reconnected. */
  readonly lastEventId: string | undefined;
  /** Sends an event. Returns false if the client has not read the previous ones yet, or if the stream has ended. */
  readonly send: (event: ServerSentEvent<Data>) => boolean;
  /** Ends the stream. */
  readonly close: () => void;
}

/**
 * Produces the events of a stream: a generator that yields them, whose end is the end of the stream, or a function that
 * calls `send` until `close`.
 */
export type EventProducer<Data = unknown> = (
  stream: EventStream<Data>,
) => AsyncIterable<ServerSentEvent<Data>> | Iterable<ServerSentEvent<Data>> | Promise<void> | void;

/** Options of `e.sse`. */
export interface EventStreamOptions {
  /**
   * What happens when the server stops. By default, the signal aborts immediately, and the stream ends within a second. Use
   * `"finish"` for a stream with an end, such as a generated text: like other responses, it has the grace period.
   */
  onStop?: "end" | "finish";
}

/** A request whose response is an event stream. */
export interface StreamingRequest extends FailedExchange {
  readonly method: string;
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
}

export interface StreamContext {
  readonly clock: AlarmClock;
  readonly shutdown: Shutdown;
  readonly openStreams: OpenStreams;
}

/** Proxies close connections that are idle for longer. */
const heartbeatMs = 15_000;

/** Sends the head of an event stream, and then the events of the producer. */
export function sendEvents<Data>(
  request: StreamingRequest,
  produce: EventProducer<Data>,
  context: StreamContext,
  options: EventStreamOptions,
): void {
  const { response } = request;
  if (!response.hasHeader("Cache-Control")) response.setHeader("Cache-Control", "no-store");
  // nginx would collect events before it passes them on.
  response.setHeader("X-Accel-Buffering", "no");
  response.writeHead(200, { "Content-Type": eventStreamType });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  response.flushHeaders();
  new OpenEventStream<Data>(request, context, options).run(produce);
}

class OpenEventStream<Data> implements EventStream<Data> {
  readonly signal: AbortSignal;
  readonly lastEventId: string | undefined;
  private readonly request: StreamingRequest;
  private readonly clock: AlarmClock;
  private readonly openStreams: OpenStreams;
  private readonly unread: UnreadData;
  private readonly stopHeartbeat: () => void;
  private iterator: AsyncIterator<unknown> | Iterator<unknown> | undefined;
  private isClosed = false;

  constructor(
    request: StreamingRequest,
    { clock, shutdown, openStreams }: StreamContext,
    { onStop = "end" }: EventStreamOptions,
  ) {
    this.request = request;
    this.clock = clock;
    this.openStreams = openStreams;
    this.unread = new UnreadData(openStreams.unreadBytes, () => request.response.writableLength);
    this.lastEventId = decodeId(request.header("last-event-id"));
    this.stopHeartbeat = this.beat();
    request.response.once("close", () => this.release());
    const end = onStop === "finish" ? { finishes: true } : { end: this.close };
    shutdown.addStream(request.response, { ...end, revoke: this.close });
    // Known as a stream by now, so that the signal aborts at the right time.
    this.signal = request.signal;
  }

  run(produce: EventProducer<Data>): void {
    if (this.isClosed) return;
    try {
      const produced: unknown = produce(this);
      if (isIterable(produced)) void this.pump(produced);
      else if (isPromiseLike(produced)) produced.then(undefined, this.fail);
    } catch (error) {
      this.fail(error);
    }
  }

  readonly send = (event: ServerSentEvent<Data>): boolean => {
    const text = formatEvent(event);
    if (this.isClosed) return false;
    if (this.unread.isOver()) {
      this.openStreams.slow.eventStreams++;
      this.release();
      this.request.response.cut();
      return false;
    }
    return this.write(text);
  };

  private write(text: string): boolean {
    return this.request.response.write(text, "utf8", this.unread.add());
  }

  readonly close = (): void => {
    if (this.isClosed) return;
    this.release();
    this.request.response.end();
  };

  /** Sends events only as fast as the client reads them. */
  private async pump(events: AnyIterable): Promise<void> {
    try {
      const iterator = iteratorOf(events);
      this.iterator = iterator;
      for (;;) {
        const { done, value } = await iterator.next();
        if (done || this.isClosed) break;
        if (!this.write(formatEvent(value as ServerSentEvent<Data>))) await this.drained();
      }
      this.close();
    } catch (error) {
      this.fail(error);
    }
  }

  private drained(): Promise<void> {
    const { response } = this.request;
    if (this.isClosed || !response.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const go = () => {
        response.off("drain", go).off("close", go);
        resolve();
      };
      response.on("drain", go).on("close", go);
    });
  }

  private readonly fail = (error: unknown): void => {
    if (isAbort(error, this.signal)) {
      this.close();
      return;
    }
    this.release();
    respondWithError(this.request, error, "Failed to send server-sent events");
  };

  private beat(): () => void {
    const { response } = this.request;
    let cancel = () => {};
    const next = () => {
      cancel = this.clock.after(heartbeatMs, () => {
        if (response.writableLength === 0) response.write(":\n\n");
        next();
      });
    };
    next();
    return () => cancel();
  }

  /** Stops everything that belongs to the stream. A generator that waits ends when it continues. */
  private release(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.stopHeartbeat();
    void this.endIterator();
  }

  private async endIterator(): Promise<void> {
    try {
      await this.iterator?.return?.();
    } catch (error) {
      if (!isAbort(error, this.signal))
        respondWithError(this.request, error, "Failed to end server-sent events");
    }
  }
}

/** Clients send the ID as UTF-8, but Node reads headers as Latin-1. */
function decodeId(sent: string | undefined): string | undefined {
  if (sent === undefined) return undefined;
  const text = Buffer.from(sent, "latin1").toString();
  return text.includes("\ufffd") ? sent : text;
}

type AnyIterable = AsyncIterable<unknown> | Iterable<unknown>;

function isIterable(value: unknown): value is AnyIterable {
  return (
    typeof value === "object" && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}

function iteratorOf(events: AnyIterable): AsyncIterator<unknown> | Iterator<unknown> {
  return Symbol.asyncIterator in events ? events[Symbol.asyncIterator]() : events[Symbol.iterator]();
}
