import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Duplex } from "node:stream";
import type { Redactor } from "../../lib/redaction/redactor.ts";
import { type AlarmClock, systemClock } from "../../lib/time/clock.ts";
import { traceContext } from "../../lib/trace-context.ts";
import { createProgressDeadline, type ProgressDeadline } from "../body/progress-deadline.ts";
import type { ProxyTrust } from "../client-address.ts";
import { type EventContext, RequestEvent } from "../event.ts";
import type { Host } from "../host.ts";
import type { Identify } from "../identify.ts";
import { endSoon } from "../observation/end-soon.ts";
import { adoptResponse, observedOf, observeResponse } from "../observation/host-response.ts";
import { ObservedRequest } from "../observation/observed-request.ts";
import {
  ObservedResponse,
  type ObservedResponseClass,
  observedResponse,
} from "../observation/observed-response.ts";
import { RequestObserver } from "../observation/observer.ts";
import { openRequests } from "../observation/peer.ts";
import { pathOf } from "../observation/request-target.ts";
import type { Match } from "../routing/route-index.ts";
import { RouteTable } from "../routing/route-table.ts";
import { OpenStreams } from "../streams/open-streams.ts";
import { type RevocationOf, Shutdown } from "../streams/shutdown.ts";
import type { ServerCertificate } from "../tls/certificate.ts";
import {
  createUpgradeResponse,
  isHandshake,
  isResponding,
  offerUpgrade,
  returnConnection,
} from "../upgrade/upgrades.ts";
import { WebSockets } from "../upgrade/web-sockets.ts";
import { Connections, HostedConnections } from "./connections.ts";
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
  /** In development: redacts the details of errors for the developer. */
  debugRedactor?: Redactor | undefined;
  clock?: AlarmClock;
  /** Whether connections are encrypted. Call `useCertificate` before `listen`. */
  isSecure?: boolean;
  /** The path before the paths of Annex, such as `/internal`. Default: none. */
  basePath?: string;
}

/** How long streams have to end after the start of a shutdown, and other requests before the end of its grace period. */
const lastMomentMs = 1_000;

/** Owns the HTTP server, its routes and its request observer. */
export class Listener implements EventContext {
  readonly app: Host;
  readonly bodyLimit: number;
  readonly bodyDeadline: ProgressDeadline;
  readonly clock: AlarmClock;
  readonly shutdown = new Shutdown();
  readonly openStreams: OpenStreams;
  readonly observer: RequestObserver;
  readonly routes: RouteTable;
  readonly server: ObservedServer;
  private readonly connected: Connections;
  /** The connections to other servers. They belong to their servers, so they are only observed. */
  private readonly hosted = new HostedConnections();
  private readonly Response: ObservedResponseClass;
  private webSockets: WebSockets | undefined;
  private identify: Identify | undefined;
  private closing: Promise<void> | undefined;
  private readonly stopCutting: () => void;
  private readonly longRequestMs: number;

  constructor(options: ListenerOptions) {
    const {
      app,
      limits,
      trust,
      debugRedactor,
      clock = systemClock,
      isSecure = false,
      basePath = "",
    } = options;
    this.app = app;
    this.clock = clock;
    this.bodyLimit = limits.bodyBytes;
    this.bodyDeadline = createProgressDeadline({ clock, timeoutMs: limits.bodyTimeoutMs });
    this.openStreams = new OpenStreams(limits);
    this.observer = new RequestObserver(trust, basePath);
    this.observer.debugRedactor = debugRedactor;
    this.routes = new RouteTable(basePath);
    this.Response = observedResponse(this.observer);
    this.server = createObservedServer({
      Response: this.Response,
      limits,
      isSecure,
      handle: (response) => this.handle(response),
      canUpgrade: (request) => this.findUpgrade(request) !== undefined,
    });
    this.longRequestMs = limits.longRequestMs;
    this.connected = new Connections(this.server, isSecure);
    this.stopCutting = cutStalledClients(this.connected.open, limits.stalledTimeoutMs);
  }

  /** Number of open connections. */
  get connections(): number {
    return this.connected.open.size + this.hosted.open.size;
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
    const sockets = this.observer.inFlight === 0 ? [] : [...this.connected.open, ...this.hosted.open];
    return findLongRequests(sockets, { olderThanMs, now });
  }

  /** Sets the function that authenticates requests, and the one that ends their streams with their credentials. */
  identifyWith(identify: Identify, revocationOf?: RevocationOf): void {
    this.identify = identify;
    this.shutdown.revocationOf = revocationOf;
  }

  /** Indexes the routes. No routes can be added afterwards. */
  async ready(): Promise<void> {
    this.routes.fix();
    if (this.routes.hasUpgrades) await this.acceptUpgrades();
  }

  private async acceptUpgrades(): Promise<void> {
    const { clock, shutdown, openStreams, bodyLimit } = this;
    // Loaded only if it is used, because it would delay every start.
    const library = await import("ws");
    this.webSockets ??= new WebSockets({ library, clock, shutdown, openStreams, maxMessageBytes: bodyLimit });
    this.server.on("upgrade", (request, stream, head) => this.upgrade(request, stream, head));
  }

  /** Sets the certificate of a secure listener. */
  useCertificate({ key, cert }: Pick<ServerCertificate, "key" | "cert">): void {
    if (this.server instanceof SecureServer) this.server.setSecureContext({ key, cert });
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
    // Responses of another server are not affected: it may go on without Annex.
    if (this.hosted.open.size === 0) this.drain();
    this.shutdown.stopStreams();
    this.leaveHostStreams();
    // The other connections end with their responses.
    this.connected.endHandshakes();
    for (const socket of this.connected.open)
      if (openRequests(socket).length === 0 && !this.webSockets?.has(socket)) endSoon(socket);
    const over = Promise.withResolvers<void>();
    const lastMs = Math.min(lastMomentMs, graceMs / 2);
    const timers = [
      setTimeout(() => this.shutdown.endStreams(), lastMs),
      setTimeout(() => this.shutdown.stopAll(), graceMs - lastMs),
      setTimeout(() => {
        this.connected.destroy();
        over.resolve();
      }, graceMs),
    ];
    // The callback gets an error if the server never listened, which is fine.
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    // The server does not wait for connections in memory.
    await Promise.race([this.observer.idle(), over.promise]);
    for (const timer of timers) clearTimeout(timer);
    this.stopCutting();
  }

  /** Event streams of another application may go on for hours without Annex. */
  private leaveHostStreams(): void {
    for (const socket of this.hosted.open)
      for (const open of openRequests(socket))
        if (!(open.response instanceof ObservedResponse)) open.settleStream();
  }

  /**
   * Takes a request to another server. Responds if its path belongs to Annex. Otherwise, observes it and returns what is
   * known about it; then the application there responds.
   */
  take(request: IncomingMessage, response: ServerResponse): ObservedRequest | undefined {
    // An application may pass a request to itself again.
    const known = observedOf(response);
    if (known !== undefined) return known;
    const observed = new ObservedRequest(this.observer, request, response);
    observed.isHosted = true;
    this.hosted.add(request.socket);
    const match = this.routes.matchOwn(observed.method, observed.path, observed);
    if (match === undefined) {
      observeResponse(observed);
      return observed;
    }
    // The application may have more listeners for the request, and later events of the connection are its own.
    traceContext.run(observed, () => this.run(adoptResponse(this.Response, observed), match));
    return undefined;
  }

  /** Takes an upgrade request to another server. Returns whether its path belongs to Annex. */
  takeUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): boolean {
    const match = this.findUpgrade(request);
    if (match !== undefined) this.startUpgrade(match, request, stream, head);
    return match !== undefined;
  }

  /** Another server has begun to close. It waits for its open connections, so the streams of Annex on it must end. */
  drainHost(server: Server): void {
    const isAffected = ({ req }: ObservedResponse) => (req.socket as { server?: unknown }).server === server;
    this.shutdown.stopStreamsOf(isAffected, lastMomentMs);
  }

  /** Closes the connections to other servers. */
  closeHosted(): void {
    for (const socket of this.hosted.open) socket.destroy();
  }

  private handle(response: ObservedResponse): void {
    const { observed } = response;
    this.run(response, this.routes.match(observed.method, observed.path, observed));
  }

  private upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const match = this.findUpgrade(request);
    if (isResponding(stream)) {
      stream.destroy();
    } else if (match === undefined) {
      returnConnection(this.server, request, stream, head);
    } else {
      this.startUpgrade(match, request, stream, head);
    }
  }

  private startUpgrade(match: Match, request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const response = createUpgradeResponse(this.Response, request, stream);
    offerUpgrade(this.webSockets!, response, stream, head);
    this.run(response, match);
  }

  private findUpgrade(request: IncomingMessage): Match | undefined {
    if (!isHandshake(request) || isResponding(request.socket)) return undefined;
    return this.routes.matchUpgrade(pathOf(request.url!));
  }

  private run(response: ObservedResponse, { route, params }: Match): void {
    const e = new RequestEvent(this, response, route, params);
    if (route.index > 0) {
      response.observed.route = route;
      dispatch(e, this.identify);
    } else {
      // Middleware may need the identity; built-in responses do not.
      dispatch(e, route.sharedFunctions.length > 0 ? this.identify : undefined);
    }
  }
}
