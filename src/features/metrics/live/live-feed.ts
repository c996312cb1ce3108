import { Readable } from "node:stream";
import { revocationSignal } from "../../../auth/index.ts";
import { acceptsGzip, formatEvent, type RequestEvent, SERVER_STOPPING } from "../../../http/index.ts";
import { createId } from "../../../lib/ids.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import { minuteMs } from "../../../lib/time/units.ts";
import { TOO_MANY_WATCHERS } from "../errors.ts";
import { SharedGzip } from "./shared-gzip.ts";

/** Clients that are further behind are disconnected. They reconnect automatically and get a snapshot. */
const maxBehindBytes = 256 * 1_024;
const maxWatchers = 200;
/** Events that a client receives after a short disconnect instead of a new snapshot. */
const kept = 120;
/** Proxies close connections that are idle for longer. */
const heartbeatMs = 15_000;
/** After this time, clients have to reconnect and authenticate again, in addition to the checks of their token. */
const longestMs = 15 * minuteMs;

interface Watcher {
  readonly stream: Readable;
  readonly since: number;
  /** Absent if the client does not accept compressed streams. */
  readonly gzip?: SharedGzip;
}

/** An event as text, and compressed once for all clients that accept it. */
interface Part {
  readonly text: string;
  packed?: Buffer;
}

/**
 * A stream of server-sent events for all live clients: first a snapshot, then updates. Each event is serialized and
 * compressed once, so the cost does not depend on the number of clients, and is zero without any.
 */
export class LiveFeed<Events extends { snapshot: object } = { snapshot: object; [name: string]: object }> {
  private readonly clock: AlarmClock;
  private readonly watchers = new Set<Watcher>();
  /** Distinguishes the events of this process from those of a previous one. */
  readonly epoch = createId(6);
  private readonly events: { number: number; text: string }[] = [];
  private readonly snapshot: () => Events["snapshot"];
  private count = 0;
  private stopHeartbeat: (() => void) | undefined;
  private isClosed = false;
  /** Clients disconnected because they read too slowly. */
  dropped = 0;

  constructor(clock: AlarmClock, snapshot: () => Events["snapshot"]) {
    this.clock = clock;
    this.snapshot = snapshot;
  }

  get watching(): number {
    return this.watchers.size;
  }

  /** Sends an event to all connected clients. */
  publish<Name extends keyof Events & string>(name: Name, make: () => Events[Name]): void {
    if (this.watchers.size === 0) {
      // Clients that reconnect now have missed something.
      this.events.length = 0;
      this.count++;
      return;
    }
    const text = this.write(name, make(), ++this.count);
    this.events.push({ number: this.count, text });
    if (this.events.length > kept) this.events.shift();
    const part = { text };
    for (const watcher of this.watchers) this.send(watcher, part);
  }

  /** Responds to a request with the stream. */
  serve(e: RequestEvent<never>) {
    // A client disconnected by a stopping server would otherwise reconnect immediately and delay the shutdown.
    if (this.isClosed) throw SERVER_STOPPING();
    if (this.watchers.size >= maxWatchers) throw TOO_MANY_WATCHERS();
    e.setHeader("Cache-Control", "no-store");
    e.setHeader("X-Accel-Buffering", "no");
    const stream = new Readable({ read() {}, highWaterMark: maxBehindBytes });
    const isPacked = acceptsGzip(e.header("accept-encoding")) && e.method !== "HEAD";
    const watcher = { stream, since: this.clock.elapsed(), ...(isPacked && { gzip: new SharedGzip() }) };
    e.setHeader("Vary", "Accept-Encoding");
    if (isPacked) e.setHeader("Content-Encoding", "gzip");
    this.watchers.add(watcher);
    stream.once("close", () => this.watchers.delete(watcher));
    revocationSignal(e)?.addEventListener("abort", () => this.endWatcher(watcher));
    if (isPacked) stream.push(SharedGzip.header);
    this.push(watcher, { text: this.beginningFor(e.header("last-event-id")) });
    this.stopHeartbeat ??= this.beat();
    return e.stream(200, "text/event-stream", stream);
  }

  /** Ends all streams, so that a shutdown does not wait for them. */
  close(): void {
    this.isClosed = true;
    this.stopHeartbeat?.();
    for (const watcher of this.watchers) this.endWatcher(watcher);
  }

  private beginningFor(lastEventId: string | undefined): string {
    const [epoch, number] = lastEventId?.split("-") ?? [];
    const missed = epoch === this.epoch ? this.after(Number(number)) : undefined;
    return missed ?? `retry: 2000\n${this.write("snapshot", this.snapshot(), this.count)}`;
  }

  /** Events after the given number; undefined if they are no longer available. */
  private after(number: number): string | undefined {
    const oldest = this.events[0]?.number ?? Number.POSITIVE_INFINITY;
    if (!(number + 1 >= oldest && number <= this.count)) return undefined;
    const missed = this.events.filter((event) => event.number > number).map(({ text }) => text);
    return missed.length > 0 ? missed.join("") : ": nothing new\n\n";
  }

  private write(name: string, data: unknown, number: number): string {
    return formatEvent({ id: `${this.epoch}-${number}`, event: name, data });
  }

  private push({ stream, gzip }: Watcher, part: Part): void {
    if (!gzip) {
      stream.push(part.text);
      return;
    }
    part.packed ??= SharedGzip.pack(part.text);
    gzip.add(part.text);
    stream.push(part.packed);
  }

  private send(watcher: Watcher, part: Part): void {
    const { stream, since } = watcher;
    if (stream.readableLength > maxBehindBytes) {
      this.dropped++;
      stream.destroy();
      return;
    }
    this.push(watcher, part);
    if (this.clock.elapsed() - since > longestMs) this.endWatcher(watcher);
  }

  private endWatcher(watcher: Watcher): void {
    if (!this.watchers.delete(watcher)) return;
    if (watcher.gzip) watcher.stream.push(watcher.gzip.end());
    watcher.stream.push(null);
  }

  private beat(): () => void {
    return this.clock.after(heartbeatMs, () => {
      this.stopHeartbeat = undefined;
      const part = { text: ": still here\n\n" };
      for (const watcher of this.watchers) this.send(watcher, part);
      if (this.watchers.size > 0) this.stopHeartbeat = this.beat();
    });
  }
}
