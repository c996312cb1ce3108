import type { IncomingMessage, ServerResponse } from "node:http";
import { http } from "../../lib/node/http.ts";
import { endSoon } from "./end-soon.ts";
import { ObservedRequest } from "./observed-request.ts";
import type { RequestObserver } from "./observer.ts";
import { pairHeaders } from "./pair-headers.ts";

/** Set on every response to prevent MIME sniffing. Applications can override the value. */
const noSniff = "x-content-type-options";

type HeadArguments = [statusMessage?: string | object, headers?: object | readonly unknown[]];

// Node passes a second argument that is missing in its types.
const NodeResponse = http.ServerResponse as unknown as new (
  request: IncomingMessage,
  options: object,
) => ServerResponse<IncomingMessage>;

/** A response of Annex's own server, or of its routes on another one. It reports to its `ObservedRequest`. */
export class ObservedResponse extends NodeResponse {
  readonly observed: ObservedRequest;
  /**
   * Headers that are added when the response is sent. Cheaper than `setHeader`, which makes Node store and check all
   * headers of the response one by one.
   */
  addedHeaders: Record<string, string> | undefined = undefined;

  // No rest parameters here and in `emit`: creating the array is visible in profiles.
  constructor(request: IncomingMessage, options: object, observer: RequestObserver) {
    super(request, options);
    this.observed = new ObservedRequest(observer, request, this);
  }

  /** Sends a complete response. The fast path for `e.json` and the other response methods. */
  respond(statusCode: number, type: string, body: string | Uint8Array): void {
    if (statusCode === 204 || statusCode === 304) {
      this.writeHead(statusCode).end();
      return;
    }
    const { observed } = this;
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
    observed.bytesSent = this.req.method === "HEAD" ? 0 : length;
    observed.writtenType = type;
    const headers: Record<string, string | number> = {
      "Content-Type": type,
      "Content-Length": length,
      "X-Trace-ID": observed.traceId,
    };
    if (!this.hasHeader(noSniff)) headers["X-Content-Type-Options"] = "nosniff";
    if (observed.isDraining) headers.Connection = "close";
    if (this.addedHeaders !== undefined) Object.assign(headers, this.addedHeaders);
    super.writeHead(statusCode, headers);
    super.end(body);
    observed.settle(statusCode);
  }

  override writeHead(statusCode: number, ...[message, headers]: HeadArguments): this {
    const { observed } = this;
    const reason = typeof message === "string" ? message : undefined;
    const given = headers ?? (reason === undefined ? message : undefined);
    const all: Record<string, unknown> = Array.isArray(given) ? pairHeaders(given) : { ...(given as object) };
    let mayBeSniffed = !this.hasHeader(noSniff);
    for (const name in all) {
      if (name.length === 22 && name.toLowerCase() === noSniff) mayBeSniffed = false;
      else if (name.length === 10 && name.toLowerCase() === "x-trace-id") delete all[name];
      else if (name.length === 12 && name.toLowerCase() === "content-type")
        observed.writtenType = String(all[name]);
    }
    observed.beginResponse();
    all["X-Trace-ID"] = observed.traceId;
    if (mayBeSniffed) all["X-Content-Type-Options"] = "nosniff";
    if (observed.isDraining) all.Connection = "close";
    if (this.addedHeaders !== undefined) Object.assign(all, this.addedHeaders);
    return reason === undefined
      ? super.writeHead(statusCode, all as Record<string, string>)
      : super.writeHead(statusCode, reason, all as Record<string, string>);
  }

  override write(...args: unknown[]): boolean {
    this.observed.count(args[0], args[1]);
    return (super.write as (...args: unknown[]) => boolean).apply(this, args);
  }

  override end(...args: unknown[]): this {
    const { observed } = this;
    if (!observed.isSettled) observed.count(args[0], args[1]);
    (super.end as (...args: unknown[]) => unknown).apply(this, args);
    observed.settle(this.statusCode);
    return this;
  }

  /** Aborts the response, so that the client notices that it is incomplete. */
  cut(): void {
    if (!this.headersSent) this.statusCode = 500;
    this.observed.settle(this.statusCode);
    this.destroy();
  }

  // `close` is emitted for every response. An override costs less than a listener per response.
  override emit(event: string | symbol, argument?: unknown): boolean {
    if (event === "close") this.leave();
    return argument === undefined ? super.emit(event as string) : super.emit(event as string, argument);
  }

  private leave(): void {
    const { observed } = this;
    observed.leave();
    if (observed.isDraining && observed.isLastOfPeer) endSoon(this.req.socket);
  }
}

/** Node's type of a response class, with our class as its instances. */
export type ObservedResponseClass = typeof ServerResponse<IncomingMessage> &
  (new (
    request: IncomingMessage,
  ) => ObservedResponse);

/** The response class for `http.createServer` that reports to this observer. */
export function observedResponse(observer: RequestObserver): ObservedResponseClass {
  class BoundResponse extends ObservedResponse {
    constructor(request: IncomingMessage, options: object) {
      super(request, options, observer);
    }
  }
  return BoundResponse as unknown as ObservedResponseClass;
}
