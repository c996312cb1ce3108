import { Readable } from "node:stream";
import { revocationSignal } from "../../../auth/index.ts";
import type { RequestEvent } from "../../../http/index.ts";
import { createId } from "../../../lib/ids.ts";
import type { AlarmClock } from "../../../lib/time/clock.ts";
import { minuteMs } from "../../../lib/time/units.ts";
import { SERVER_STOPS, TOO_MANY_WATCHERS } from "../errors.ts";

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
}

/**
 * A stream of server-sent events for all live clients: first a snapshot, then updates. Each event is serialized once,
 * so the cost does not depend on the number of clients, and is zero without any.
 */
export class LiveFeed<Events extends { snapshot: object } = { snapshot: object; [name: string]: object }> {
  private readonly clock: AlarmClock;
  private readonly watchers = new Set<Watcher>();
  /** Distinguishes the events of this process from those of a previous one. */
  private readonly epoch = createId(6);
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
    for (const watcher of this.watchers) this.send(watcher, text);
  }

  /** Responds to a request with the stream. */
  serve(e: RequestEvent<never>) {
    // A client disconnected by a stopping server would otherwise reconnect immediately and delay the shutdown.
    if (this.isClosed) throw SERVER_STOPS();
    if (this.watchers.size >= maxWatchers) throw TOO_MANY_WATCHERS();
    e.setHeader("Cache-Control", "no-store");
    e.setHeader("X-Accel-Buffering", "no");
    const stream = new Readable({ read() {}, highWaterMark: maxBehindBytes });
    const watcher = { stream, since: this.clock.elapsed() };
    this.watchers.add(watcher);
    stream.once("close", () => this.watchers.delete(watcher));
    revocationSignal(e)?.addEventListener("abort", () => this.endWatcher(watcher));
    stream.push(this.beginningFor(e.header("last-event-id")));
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
    return `id: ${this.epoch}-${number}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  private send(watcher: Watcher, text: string): void {
    const { stream, since } = watcher;
    if (stream.readableLength > maxBehindBytes) {
      this.dropped++;
      stream.destroy();
      return;
    }
    stream.push(text);
    if (this.clock.elapsed() - since > longestMs) this.endWatcher(watcher);
  }

  private endWatcher(watcher: Watcher): void {
    if (this.watchers.delete(watcher)) watcher.stream.push(null);
  }

  private beat(): () => void {
    return this.clock.after(heartbeatMs, () => {
      this.stopHeartbeat = undefined;
      for (const watcher of this.watchers) this.send(watcher, ": still here\n\n");
      if (this.watchers.size > 0) this.stopHeartbeat = this.beat();
    });
  }
}
