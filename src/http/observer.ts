import { type IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isEventStream } from "../lib/event-stream-type.ts";
import { createTraceId } from "../lib/ids.ts";
import type { Redactor } from "../lib/redaction/redactor.ts";
import { type ProxyTrust, plainAddress } from "./client-address.ts";
import { isExcludedPath } from "./excluded-paths.ts";
import type { Identity } from "./identity.ts";
import type { Route } from "./route/route.ts";

/**
 * Observation of every request, at the level of node:http.
 *
 * The server uses a subclass of Node's response. It records the trace ID and the start time when it is created, adds
 * the `X-Trace-ID` header, and publishes one finished request when the response ends or the client disconnects.
 * Framework hooks would cost several times as much, and this way the layer does not depend on the framework.
 */
export class RequestObserver {
  /** Number of requests in flight. */
  inFlight = 0;
  /** If true, every response has `Connection: close`. */
  draining = false;
  readonly trust: ProxyTrust | undefined;
  /** In development: redacts the details of errors for the developer. Without it, they are not sent. */
  debugRedactor: Redactor | undefined = undefined;
  /** The path before the paths of Annex, such as `/internal`. */
  readonly basePath: string;
  private readonly finishedSubscribers: ((request: FinishedRequest) => void)[] = [];
  private readonly refusedSubscribers: ((request: RefusedRequest) => void)[] = [];
  private readonly failedSubscribers: ((failure: FailedRequest) => void)[] = [];
  private readonly untrustedSubscribers: ((forwarding: UntrustedForwarding) => void)[] = [];
  private readonly reportedPeers = new Set<string>();
  private idleWaiters: (() => void)[] = [];

  constructor(trust?: ProxyTrust, basePath = "") {
    this.trust = trust;
    this.basePath = basePath;
  }

  /** Calls back once for every request that is not excluded. The argument must not be stored. */
  onFinished(subscriber: (request: FinishedRequest) => void): void {
    this.finishedSubscribers.push(subscriber);
  }

  /** Calls back for every response with 401 or 403, including those of uncounted routes. */
  onRefused(subscriber: (request: RefusedRequest) => void): void {
    this.refusedSubscribers.push(subscriber);
  }

  /** Calls back for every unexpected error. */
  onFailed(subscriber: (failure: FailedRequest) => void): void {
    this.failedSubscribers.push(subscriber);
  }

  /** Calls back for the first peers that send forwarded headers without being trusted; see `trustedProxies`. */
  onUntrustedForwarding(subscriber: (forwarding: UntrustedForwarding) => void): void {
    this.untrustedSubscribers.push(subscriber);
  }

  /** Resolves when no request is in flight. */
  idle(): Promise<void> {
    return this.inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.idleWaiters.push(resolve));
  }

  failed(failure: FailedRequest): void {
    for (const subscriber of this.failedSubscribers) {
      try {
        subscriber(failure);
      } catch (error) {
        // Reporting the failure failed. The request must continue.
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    }
  }

  /** @internal */
  untrustedForwarding(forwarding: UntrustedForwarding): void {
    const { reportedPeers } = this;
    if (reportedPeers.size >= maxReportedPeers || reportedPeers.has(forwarding.peer)) return;
    reportedPeers.add(forwarding.peer);
    for (const subscriber of this.untrustedSubscribers) subscriber(forwarding);
  }

  /** @internal */
  finished(response: ObservedResponse): void {
    this.inFlight--;
    if (this.inFlight === 0 && this.idleWaiters.length > 0) {
      for (const resolve of this.idleWaiters.splice(0)) resolve();
    }
    const { statusCode } = response;
    if (statusCode === 401 || statusCode === 403) this.publish(this.refusedSubscribers, response);
    if (isExcludedPath(response.path) || response.route?.uncounted) return;
    this.publish(this.finishedSubscribers, response);
  }

  private publish(
    subscribers: readonly ((request: RefusedRequest) => void)[],
    response: ObservedResponse,
  ): void {
    for (const subscriber of subscribers) {
      try {
        subscriber(response);
      } catch (error) {
        const { traceId, method, path, route } = response;
        this.failed({
          error,
          traceId,
          method,
          path,
          route,
          message: "Failed to notify a subscriber about a finished request",
        });
      }
    }
  }
}

/** Enough for the proxies of one installation, and few enough that clients cannot fill the log. */
const maxReportedPeers = 5;

/** A forwarded header that was ignored, because the peer is not a trusted proxy. */
export interface UntrustedForwarding {
  /** The address at the other end of the connection. */
  readonly peer: string;
  readonly header: string;
}

/** A finished request. */
export interface FinishedRequest {
  readonly traceId: string;
  /** The W3C trace context of the caller, if sent. */
  readonly traceparent: string | undefined;
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  /** The route that handled the request. Absent if no route matched. */
  readonly route: Route | undefined;
  /** 499 if the client disconnected before the response. */
  readonly statusCode: number;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Until the response has ended. For event streams and WebSockets, until their head has been sent. */
  readonly durationMs: number;
  readonly client: Client;
  /** The requested host: `X-Forwarded-Host` from a trusted proxy, otherwise `Host`. */
  readonly host: string;
  /** The declared length of the request body. 0 without a body or a declared length. */
  readonly contentLength: number;
  /** Size of the response body in bytes. */
  readonly bytesSent: number;
  readonly aborted: boolean;
  /** The content type of the response. */
  readonly contentType: string | undefined;
  /** A request header, by its lower-case name. */
  requestHeader(name: string): string | undefined;
  /** The request headers as sent, names and values alternating. The only value here that may be stored. */
  readonly rawHeaders: readonly string[];
}

/** A request that ended with 401 or 403. */
export interface RefusedRequest extends FinishedRequest {
  /** The authenticated identity, or `null`. */
  readonly identity: Identity | null;
  /** The code of the thrown error. Undefined if the handler sent the response itself. */
  readonly errorCode: string | undefined;
}

export interface FailedRequest {
  readonly error: unknown;
  readonly traceId: string;
  readonly method: string;
  readonly path: string;
  /** The matched route. Absent if no route matched. */
  readonly route: Route | undefined;
  /** The message of the log record. */
  readonly message: string;
}

/** The address and user agent of a client. Requests of the same agent on one connection share the object. */
export class Client {
  readonly ip: string;
  readonly userAgent: string;
  /** Cache for the encoded form in log records, so that it is not computed on every request. */
  encoded: Buffer | undefined = undefined;

  constructor(ip: string, userAgent: string) {
    this.ip = ip;
    this.userAgent = userAgent;
  }
}

/** The peer of a connection, with data that is shared between its requests. */
class Peer {
  /** Stored because a closed socket has no address. */
  readonly address: string;
  client: Client | undefined = undefined;
  /** Whether the peer is a trusted proxy. Computed by the first request that needs it. */
  isTrusted: boolean | undefined = undefined;
  hasForwarded = false;
  /** Open responses, in order. With pipelining, there can be more than one. */
  readonly open: ObservedResponse[] = [];

  constructor(socket: Socket) {
    this.address = plainAddress(socket.remoteAddress ?? "127.0.0.1");
  }
}

const peerOfSocket = Symbol("peer");
type KnownSocket = Duplex & { [peerOfSocket]?: Peer };

/** The open responses of a connection. */
export function openResponses(socket: Duplex): readonly ObservedResponse[] {
  return (socket as KnownSocket)[peerOfSocket]?.open ?? [];
}

/** Call it when a connection has closed: before version 24, Node notifies only the first pending response. */
export function abandonResponses(socket: Socket): void {
  for (const response of [...openResponses(socket)]) {
    if (response.socket !== null || response.destroyed || response.writableFinished) continue;
    response.destroyed = true;
    response.emit("close");
  }
}

/** Ends a connection after all pending data has been written. */
export function endSoon(socket: Duplex): void {
  if (socket instanceof Socket) socket.destroySoon();
  else socket.end();
}

/** Set on every response to prevent MIME sniffing. Applications can override the value. */
const noSniff = "x-content-type-options";

type HeadArguments = [statusMessage?: string | object, headers?: object | readonly unknown[]];

// Node passes a second argument that is missing in its types.
const NodeResponse = ServerResponse as unknown as new (
  request: IncomingMessage,
  options: object,
) => ServerResponse<IncomingMessage>;

/** A response that belongs to a `RequestObserver`; `observedResponse` binds it to one. */
export abstract class ObservedResponse extends NodeResponse implements RefusedRequest {
  abstract readonly observer: RequestObserver;
  readonly traceId: string = createTraceId();
  readonly startedAt: number = performance.now();
  route: Route | undefined = undefined;
  identity: Identity | null = null;
  errorCode: string | undefined = undefined;
  durationMs = 0;
  bytesSent = 0;
  contentLength = 0;
  aborted = false;
  traceparent: string | undefined = undefined;
  /** Whether the request has headers that could authenticate it. */
  hasCredentials = false;
  /** Number of Host headers. */
  hosts = 0;
  /**
   * Headers that are added when the response is sent. Cheaper than `setHeader`, which makes Node store and check all
   * headers of the response one by one.
   */
  addedHeaders: Record<string, string> | undefined = undefined;
  private readonly peer: Peer;
  private agent = "";
  private forwardedFor: string | undefined = undefined;
  private settled = false;
  private knownPath: string | undefined = undefined;
  private writtenType: string | undefined = undefined;

  // No rest parameters here and in `emit`: creating the array is visible in profiles.
  constructor(request: IncomingMessage, options: object) {
    super(request, options);
    const socket: Socket & KnownSocket = request.socket;
    socket[peerOfSocket] ??= new Peer(socket);
    this.peer = socket[peerOfSocket];
    this.peer.open.push(this);
    this.readHeaders(request.rawHeaders);
  }

  get method(): string {
    return this.req.method!;
  }

  get path(): string {
    this.knownPath ??= pathOf(this.req.url!);
    return this.knownPath;
  }

  get contentType(): string | undefined {
    const type = this.writtenType ?? this.getHeader("content-type");
    return type === undefined ? undefined : String(type);
  }

  get rawHeaders(): readonly string[] {
    return this.req.rawHeaders;
  }

  requestHeader(name: string): string | undefined {
    const { rawHeaders } = this.req;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const given = rawHeaders[index]!;
      if (given.length === name.length && given.toLowerCase() === name) return rawHeaders[index + 1];
    }
    return undefined;
  }

  get client(): Client {
    const { peer, agent, forwardedFor } = this;
    const ip =
      forwardedFor === undefined
        ? peer.address
        : this.observer.trust!.clientAddress(peer.address, forwardedFor);
    const known = peer.client;
    if (known !== undefined && known.userAgent === agent && known.ip === ip) return known;
    peer.client = new Client(ip, agent);
    return peer.client;
  }

  /** The address at the other end of the connection: the client's or a proxy's. */
  get peerAddress(): string {
    return this.peer.address;
  }

  /** Whether the request comes from a trusted proxy. */
  get isFromTrustedProxy(): boolean {
    const { peer, observer } = this;
    peer.isTrusted ??= observer.trust?.isTrusted(peer.address) === true;
    return peer.isTrusted;
  }

  get host(): string {
    const forwarded = this.isFromTrustedProxy ? this.requestHeader("x-forwarded-host") : undefined;
    return forwarded?.split(",", 1)[0]?.trim() ?? this.requestHeader("host") ?? "";
  }

  /**
   * The request, with the trace ID among its headers. It is added on first access, because accessing the headers makes
   * Node parse them, which most requests do not need.
   */
  get tracedRequest(): IncomingMessage {
    const { req, traceId } = this;
    req.headers["x-trace-id"] = traceId;
    req.headersDistinct["x-trace-id"] = [traceId];
    return req;
  }

  /** Sends a complete response. The fast path for `e.json` and the other response methods. */
  respond(statusCode: number, type: string, body: string | Uint8Array): void {
    if (statusCode === 204 || statusCode === 304) {
      this.writeHead(statusCode).end();
      return;
    }
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
    this.bytesSent = this.req.method === "HEAD" ? 0 : length;
    this.writtenType = type;
    const headers: Record<string, string | number> = {
      "Content-Type": type,
      "Content-Length": length,
      "X-Trace-ID": this.traceId,
    };
    if (!this.hasHeader(noSniff)) headers["X-Content-Type-Options"] = "nosniff";
    if (this.observer.draining) headers.Connection = "close";
    if (this.addedHeaders !== undefined) Object.assign(headers, this.addedHeaders);
    super.writeHead(statusCode, headers);
    super.end(body);
    this.settle();
  }

  override writeHead(statusCode: number, ...[message, headers]: HeadArguments): this {
    const reason = typeof message === "string" ? message : undefined;
    const given = headers ?? (reason === undefined ? message : undefined);
    const all: Record<string, unknown> = Array.isArray(given) ? pairHeaders(given) : { ...(given as object) };
    let mayBeSniffed = !this.hasHeader(noSniff);
    for (const name in all) {
      if (name.length === 22 && name.toLowerCase() === noSniff) mayBeSniffed = false;
      else if (name.length === 10 && name.toLowerCase() === "x-trace-id") delete all[name];
      else if (name.length === 12 && name.toLowerCase() === "content-type")
        this.writtenType = String(all[name]);
    }
    // It may stay open for hours, which says nothing about the speed of the server.
    if (isEventStream(this.contentType)) this.durationMs = performance.now() - this.startedAt;
    all["X-Trace-ID"] = this.traceId;
    if (mayBeSniffed) all["X-Content-Type-Options"] = "nosniff";
    if (this.observer.draining) all.Connection = "close";
    if (this.addedHeaders !== undefined) Object.assign(all, this.addedHeaders);
    return reason === undefined
      ? super.writeHead(statusCode, all as Record<string, string>)
      : super.writeHead(statusCode, reason, all as Record<string, string>);
  }

  override write(...args: unknown[]): boolean {
    this.count(args);
    return (super.write as (...args: unknown[]) => boolean).apply(this, args);
  }

  override end(...args: unknown[]): this {
    if (!this.settled) this.count(args);
    (super.end as (...args: unknown[]) => unknown).apply(this, args);
    this.settle();
    return this;
  }

  /** Aborts the response, so that the client notices that it is incomplete. */
  cut(): void {
    if (!this.headersSent) this.statusCode = 500;
    this.settle();
    this.destroy();
  }

  // `close` is emitted for every response. An override costs less than a listener per response.
  override emit(event: string | symbol, argument?: unknown): boolean {
    if (event === "close") this.leave();
    return argument === undefined ? super.emit(event as string) : super.emit(event as string, argument);
  }

  /** Ends the observation of a request whose connection has become a WebSocket. */
  switchProtocols(): void {
    this.statusCode = 101;
    this.settle();
    this.removeFromPeer();
  }

  private leave(): void {
    if (!this.settled) {
      // The response was not ended, so the client has disconnected. Event streams are meant to end like this.
      if (!this.isOpenEventStream) {
        this.aborted = true;
        this.statusCode = 499;
      }
      this.settle();
    }
    this.removeFromPeer();
    if (this.observer.draining && this.peer.open.length === 0) endSoon(this.req.socket);
  }

  private removeFromPeer(): void {
    const { open } = this.peer;
    if (open[0] === this) open.shift();
    else if (open.includes(this)) open.splice(open.indexOf(this), 1);
  }

  /** The duration of other responses is known when they have ended. */
  private get isOpenEventStream(): boolean {
    return !this.settled && this.durationMs > 0;
  }

  private count([chunk, encoding]: unknown[]): void {
    if (this.req.method === "HEAD") return;
    if (typeof chunk === "string") this.bytesSent += Buffer.byteLength(chunk, encoding as BufferEncoding);
    else if (chunk instanceof Uint8Array) this.bytesSent += chunk.byteLength;
  }

  private settle(): void {
    if (this.settled) return;
    if (!this.isOpenEventStream) this.durationMs = performance.now() - this.startedAt;
    this.settled = true;
    this.observer.finished(this);
  }

  /**
   * Reads all headers that a log record needs in one pass over the raw headers, without parsing them into an object.
   */
  private readHeaders(raw: readonly string[]): void {
    for (let index = 0; index < raw.length; index += 2) {
      const name = raw[index]!;
      switch (name.length) {
        case 4:
          if (isHeader(name, "Host", "host")) this.hosts++;
          break;
        case 6:
          if (isHeader(name, "Cookie", "cookie")) this.hasCredentials = true;
          break;
        case 10:
          if (isHeader(name, "User-Agent", "user-agent")) this.agent = raw[index + 1]!;
          break;
        case 11:
          if (isHeader(name, "Traceparent", "traceparent")) this.traceparent = raw[index + 1]!;
          break;
        case 13:
          if (isHeader(name, "Authorization", "authorization")) this.hasCredentials = true;
          break;
        case 14:
          if (isHeader(name, "Content-Length", "content-length")) this.contentLength = Number(raw[index + 1]);
          break;
        case 9:
          if (isHeader(name, "Forwarded", "forwarded")) this.noteForwarded("Forwarded");
          break;
        case 15:
          // "Accept-Encoding" has the same length and is in almost every request.
          if (startsWithX(name) && isHeader(name, "X-Forwarded-For", "x-forwarded-for")) {
            this.noteForwarded("X-Forwarded-For");
            if (this.observer.trust !== undefined) this.addHops(raw[index + 1]!);
          }
          break;
        case 16:
          if (startsWithX(name) && isHeader(name, "X-Forwarded-Host", "x-forwarded-host"))
            this.noteForwarded("X-Forwarded-Host");
      }
    }
  }

  /** Several headers with the same name form one list, in order. */
  private addHops(hops: string): void {
    this.forwardedFor = this.forwardedFor === undefined ? hops : `${this.forwardedFor},${hops}`;
  }

  private noteForwarded(header: string): void {
    if (this.peer.hasForwarded) return;
    this.peer.hasForwarded = true;
    if (!this.isFromTrustedProxy) this.observer.untrustedForwarding({ peer: this.peer.address, header });
  }
}

function startsWithX(name: string): boolean {
  const first = name.charCodeAt(0);
  return first === 88 || first === 120;
}

function isHeader(name: string, usual: string, lower: string): boolean {
  return name === usual || name === lower || name.toLowerCase() === lower;
}

/** Converts a list of headers, flat or in pairs, to an object. */
function pairHeaders(list: readonly unknown[]): Record<string, unknown> {
  const flat = Array.isArray(list[0]) ? list.flat(1) : list;
  const headers: Record<string, unknown> = {};
  for (let index = 0; index < flat.length; index += 2) {
    const name = String(flat[index]);
    const earlier = headers[name];
    headers[name] = earlier === undefined ? flat[index + 1] : [earlier, flat[index + 1]].flat();
  }
  return headers;
}

/** The path of a request target, without the query. */
export function pathOf(target: string): string {
  const origin = originForm(target);
  const query = origin.indexOf("?");
  return query === -1 ? origin : origin.slice(0, query);
}

/** The request target without the origin that requests to a proxy contain. */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === 47) return target;
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Node's type of a response class, with our class as its instances. */
export type ObservedResponseClass = typeof ServerResponse<IncomingMessage> &
  (new (
    request: IncomingMessage,
  ) => ObservedResponse);

/** The response class for `http.createServer` that reports to this observer. */
export function observedResponse(observer: RequestObserver): ObservedResponseClass {
  class BoundResponse extends ObservedResponse {
    get observer(): RequestObserver {
      return observer;
    }

    constructor(request: IncomingMessage, options: object) {
      super(request, options);
      observer.inFlight++;
    }
  }
  return BoundResponse as unknown as ObservedResponseClass;
}
