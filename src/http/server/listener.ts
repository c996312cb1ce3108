import { once } from "node:events";
import type { Socket } from "node:net";
import { type AlarmClock, systemClock } from "../../lib/time/clock.ts";
import { createProgressDeadline, type ProgressDeadline } from "../body/progress-deadline.ts";
import type { ProxyTrust } from "../client-address.ts";
import { type EventContext, RequestEvent } from "../event.ts";
import type { Host } from "../host.ts";
import type { Identify } from "../identify.ts";
import {
  abandonResponses,
  endSoon,
  type ObservedResponse,
  openResponses,
  RequestObserver,
} from "../observer.ts";
import { RouteTable } from "../routing/route-table.ts";
import { dispatch } from "./dispatch.ts";
import { type InjectRequest, type InjectResponse, inject } from "./inject.ts";
import type { ListenerLimits } from "./limits.ts";
import { explainListenError } from "./listen-error.ts";
import { findLongRequests, type LongRequests } from "./long-requests.ts";
import { createObservedServer, type ObservedServer } from "./server.ts";
import { cutStalledClients } from "./stalled-clients.ts";

export interface ListenerOptions {
  app: Host;
  limits: ListenerLimits;
  trust?: ProxyTrust | undefined;
  clock?: AlarmClock;
}

/** Owns the HTTP server, its routes and its request observer. */
export class Listener implements EventContext {
  readonly app: Host;
  readonly bodyLimit: number;
  readonly bodyDeadline: ProgressDeadline;
  readonly observer: RequestObserver;
  readonly routes = new RouteTable();
  readonly server: ObservedServer;
  private readonly sockets = new Set<Socket>();
  private identify: Identify | undefined;
  private closing: Promise<void> | undefined;
  private readonly stopCutting: () => void;
  private readonly longRequestMs: number;

  constructor({ app, limits, trust, clock = systemClock }: ListenerOptions) {
    this.app = app;
    this.bodyLimit = limits.bodyBytes;
    this.bodyDeadline = createProgressDeadline({ clock, timeoutMs: limits.bodyTimeoutMs });
    this.observer = new RequestObserver(trust);
    const handle = (response: ObservedResponse) => this.handle(response);
    this.server = createObservedServer({ observer: this.observer, limits, handle });
    this.longRequestMs = limits.longRequestMs;
    this.watchSockets();
    this.stopCutting = cutStalledClients(this.sockets, limits.stalledTimeoutMs);
  }

  /** Number of open connections. */
  get connections(): number {
    return this.sockets.size;
  }

  /** Requests in flight for longer than `limits.longRequestMs`. */
  longRequests(now = performance.now()): LongRequests {
    return this.findOpenRequests(this.longRequestMs, now);
  }

  /** Requests in flight without a response, of any age. */
  openRequests(): LongRequests {
    return this.findOpenRequests(Number.NEGATIVE_INFINITY, performance.now());
  }

  private findOpenRequests(olderThanMs: number, now: number): LongRequests {
    const sockets = this.observer.inFlight === 0 ? [] : this.sockets;
    return findLongRequests(sockets, { olderThanMs, now });
  }

  /** Sets the function that authenticates requests. */
  identifyWith(identify: Identify): void {
    this.identify = identify;
  }

  /** Indexes the routes. No routes can be added afterwards. */
  async ready(): Promise<void> {
    this.routes.fix();
  }

  async listen(host: string, port: number): Promise<{ host: string; port: number }> {
    try {
      // Node would open only one of the addresses of "localhost", and the system would decide which.
      this.server.listen({ host: host === "localhost" ? "127.0.0.1" : host, port });
      await once(this.server, "listening");
    } catch (cause) {
      throw explainListenError(cause, host, port);
    }
    const address = this.server.address();
    return { host, port: typeof address === "object" && address ? address.port : port };
  }

  async inject(request: InjectRequest): Promise<InjectResponse> {
    if (this.closing) throw new Error("The listener is closed.");
    return inject(this.server, request);
  }

  /** Adds `Connection: close` to all further responses. */
  drain(): void {
    this.observer.draining = true;
  }

  /** Stops accepting connections and waits for requests in flight. After the grace period, closes their connections. */
  close(graceMs: number): Promise<void> {
    this.closing ??= this.shut(graceMs);
    return this.closing;
  }

  private async shut(graceMs: number): Promise<void> {
    // The other connections end with their responses.
    this.drain();
    for (const socket of this.sockets) if (openResponses(socket).length === 0) endSoon(socket);
    let deadline: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      deadline = setTimeout(() => {
        for (const socket of this.sockets) socket.destroy();
        resolve();
      }, graceMs);
    });
    // The callback gets an error if the server never listened, which is fine.
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    // The server does not wait for connections in memory.
    await Promise.race([this.observer.idle(), over]);
    clearTimeout(deadline);
    this.stopCutting();
  }

  private handle(response: ObservedResponse): void {
    const { route, params } = this.routes.match(response.method, response.path);
    const e = new RequestEvent(this, response, route, params);
    if (route.index > 0) {
      response.route = route;
      dispatch(e, this.identify);
    } else {
      // Middleware may need the identity; built-in responses do not.
      dispatch(e, route.sharedFunctions.length > 0 ? this.identify : undefined);
    }
  }

  private watchSockets(): void {
    const { server, sockets } = this;
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => {
        sockets.delete(socket);
        abandonResponses(socket);
      });
    });
  }
}
