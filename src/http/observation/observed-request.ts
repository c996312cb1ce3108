import type { IncomingMessage, ServerResponse } from "node:http";
import { isEventStream } from "../../lib/event-stream-type.ts";
import { createTraceId } from "../../lib/ids.ts";
import { http } from "../../lib/node/http.ts";
import type { Traced } from "../../lib/trace-context.ts";
import type { Identity } from "../identity.ts";
import type { Route } from "../route/route.ts";
import { Client } from "./client.ts";
import { hasClientStatus, isClientError, isConnectionError } from "./client-errors.ts";
import type { FailedRequest, RefusedRequest } from "./finished-request.ts";
import type { RequestObserver } from "./observer.ts";
import { type Peer, peerOf } from "./peer.ts";
import { pathOf } from "./request-target.ts";

/** Finds the route of a request to an application on another server, after the response has ended. */
export type FindHostRoute = (request: ObservedRequest) => Route | undefined;

const { getHeader } = http.ServerResponse.prototype;

const handlingFailed = "Failed to handle request";
const reportedOfClient = "Reported error with a 4xx status";

/** An error that the application may have handled. */
interface NotedError {
  readonly error: unknown;
  /** Whether the application reported it, so that it is recorded in any case. */
  readonly isReported: boolean;
}

/** What is known about a request and its response, independent of the server that received it. */
export class ObservedRequest implements RefusedRequest, Traced {
  readonly observer: RequestObserver;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly traceId: string = createTraceId();
  readonly startedAt: number = performance.now();
  /** The request target as sent. Applications may rewrite it. */
  readonly target: string;
  route: Route | undefined = undefined;
  identity: Identity | null = null;
  errorCode: string | undefined = undefined;
  statusCode = 0;
  durationMs = 0;
  bytesSent = 0;
  contentLength = 0;
  aborted = false;
  traceparent: string | undefined = undefined;
  /** Whether the request has headers that could authenticate it. */
  hasCredentials = false;
  /** Number of Host headers. */
  hosts = 0;
  /** The content type that was passed to `writeHead`, which Node does not store. */
  writtenType: string | undefined = undefined;
  /** Whether another server received the request. */
  isHosted = false;
  /** Absent if the route is known when the request is dispatched. */
  findRoute: FindHostRoute | undefined = undefined;
  /** The request in the framework of the application, such as the context of Koa. */
  frameworkRequest: unknown = undefined;
  private readonly peer: Peer;
  private agent = "";
  private forwardedFor: string | undefined = undefined;
  private settled = false;
  private knownPath: string | undefined = undefined;
  private reportedError: unknown = undefined;
  /** Whether code of the application has Node's request, and may change its headers. */
  isExposed = false;
  private noted: NotedError | undefined = undefined;

  constructor(observer: RequestObserver, request: IncomingMessage, response: ServerResponse) {
    this.observer = observer;
    this.request = request;
    this.response = response;
    // Express removes the path that an application is mounted at.
    this.target = (request as { originalUrl?: string }).originalUrl ?? request.url!;
    this.peer = peerOf(request.socket);
    this.peer.open.push(this);
    this.readHeaders(request.rawHeaders);
    if (observer.inFlight++ === 0) observer.onBusy();
  }

  get method(): string {
    return this.request.method!;
  }

  get path(): string {
    this.knownPath ??= pathOf(this.target);
    return this.knownPath;
  }

  get contentType(): string | undefined {
    // An application may have replaced the function of the response.
    const type = this.writtenType ?? Reflect.apply(getHeader, this.response, ["content-type"]);
    return type === undefined ? undefined : String(type);
  }

  get rawHeaders(): readonly string[] {
    return this.request.rawHeaders;
  }

  requestHeader(name: string): string | undefined {
    const { rawHeaders } = this.request;
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

  /** Whether the client's connection is encrypted, here or at a trusted proxy. */
  get isSecure(): boolean {
    if ("encrypted" in this.request.socket) return true;
    const protocols = this.isFromTrustedProxy ? this.request.headers["x-forwarded-proto"] : undefined;
    return protocols !== undefined && String(protocols).split(",", 1)[0]!.trim() === "https";
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
    const { request, traceId } = this;
    this.isExposed = true;
    request.headers["x-trace-id"] = traceId;
    request.headersDistinct["x-trace-id"] = [traceId];
    return request;
  }

  /** Whether the server is stopping, so that the connection should end with the response. */
  get isDraining(): boolean {
    return this.observer.draining || (this.isHosted && !isListening(this.request.socket));
  }

  /** Whether no other request on the connection is being handled. */
  get isLastOfPeer(): boolean {
    return this.peer.open.length === 0;
  }

  /** Reports an unexpected error. The same error is reported only once. */
  fail(error: unknown, message: string): void {
    if (!this.isRepeated(error)) this.observer.failed(this.describe(error, message));
  }

  private warn(error: unknown): void {
    if (!this.isRepeated(error)) this.observer.warned(this.describe(error, reportedOfClient));
  }

  private isRepeated(error: unknown): boolean {
    if (typeof error !== "object" || error === null) return false;
    if (error === this.reportedError) return true;
    this.reportedError = error;
    return false;
  }

  private describe(error: unknown, message: string): FailedRequest {
    const { traceId, method, path } = this;
    // While the application handles the request, its route is not known yet.
    const route = this.route ?? this.findRoute?.(this);
    return { error, traceId, method, path, route, message };
  }

  /** Reports an error that the application has handled. One with a 4xx status is an error only if the response is one. */
  report(error: unknown): void {
    if (!hasClientStatus(error)) {
      this.fail(error, handlingFailed);
      return;
    }
    this.note({ error, isReported: true });
    // It may stay open for hours.
    if (this.isOpenEventStream) this.settleNoted(false);
  }

  /** Notes an error that the application may have handled. It is reported if the response is an error of the server. */
  noteError(error: unknown): void {
    this.note({ error, isReported: false });
  }

  private note({ error, isReported }: NotedError): void {
    if (isConnectionError(error, this.request)) return;
    const reported = this.noted?.isReported ? this.noted : undefined;
    const isAgain = reported !== undefined && reported.error === error;
    if (reported && !isAgain) this.warn(reported.error);
    this.noted = { error, isReported: isReported || isAgain };
    if (this.settled) this.settleNoted(true);
  }

  private settleNoted(mayFail: boolean): void {
    if (this.noted === undefined) return;
    const { error, isReported } = this.noted;
    this.noted = undefined;
    if (mayFail && (this.statusCode >= 500 || !isClientError(error))) this.fail(error, handlingFailed);
    else if (isReported) this.warn(error);
  }

  /** Call it when the head of the response is being sent. */
  beginResponse(): void {
    const type = this.contentType;
    // It is needed again, and Node would look it up each time.
    this.writtenType = type;
    // It may stay open for hours, which says nothing about the speed of the server.
    if (isEventStream(type)) this.durationMs = performance.now() - this.startedAt;
  }

  /** Counts a chunk of the response body. */
  count(chunk: unknown, encoding: unknown): void {
    if (this.request.method === "HEAD") return;
    if (typeof chunk === "string") {
      const known = typeof encoding === "string" ? (encoding as BufferEncoding) : undefined;
      this.bytesSent += Buffer.byteLength(chunk, known);
    }
    if (chunk instanceof Uint8Array) this.bytesSent += chunk.byteLength;
  }

  get isSettled(): boolean {
    return this.settled;
  }

  /** Milliseconds since the start, or the duration if it is known. */
  get elapsedMs(): number {
    return this.settled || this.durationMs > 0 ? this.durationMs : performance.now() - this.startedAt;
  }

  /** Ends the observation, because the response has ended. */
  settle(statusCode: number): void {
    if (this.settled) return;
    if (!this.isOpenEventStream) this.durationMs = performance.now() - this.startedAt;
    this.settled = true;
    this.statusCode = statusCode;
    // Node does not send the body of such a response.
    if (statusCode === 204 || statusCode === 304) this.bytesSent = 0;
    if (this.findRoute !== undefined) this.route = this.findRoute(this);
    this.settleNoted(statusCode >= 500 || this.aborted);
    this.observer.finished(this);
  }

  /** Ends the observation of an event stream that may stay open. Its duration is known. */
  settleStream(): void {
    if (this.isOpenEventStream) this.settle(this.response.statusCode);
  }

  /** Ends the observation of a request whose connection has become a WebSocket. */
  switchProtocols(): void {
    this.settle(101);
    this.removeFromPeer();
  }

  /** Call it when the response has been closed. */
  leave(): void {
    if (!this.settled) {
      // Usually, the client has disconnected. Event streams are meant to end like this, and an application may have
      // ended the response with the function of its prototype.
      this.aborted = !this.isOpenEventStream && !this.response.writableFinished;
      this.settle(this.aborted ? 499 : this.response.statusCode);
    }
    this.removeFromPeer();
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

/** Whether the server of a connection accepts others. */
function isListening(socket: IncomingMessage["socket"]): boolean {
  return (socket as { server?: { listening: boolean } }).server?.listening !== false;
}

function startsWithX(name: string): boolean {
  const first = name.charCodeAt(0);
  return first === 88 || first === 120;
}

function isHeader(name: string, usual: string, lower: string): boolean {
  return name === usual || name === lower || name.toLowerCase() === lower;
}
