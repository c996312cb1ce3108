import type { Server } from "node:http";
import type { Socket } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { type AlarmClock, systemClock } from "../lib/clock.ts";
import { ApiError } from "../lib/errors.ts";
import { isPromiseLike } from "../lib/promise-like.ts";
import { StartError } from "../lib/start-error.ts";
import { traceContext } from "../lib/trace-context.ts";
import type { ProxyTrust } from "./client-address.ts";
import { answerError } from "./error-answer.ts";
import { BAD_PATH, EXPECTATION_FAILED, MALFORMED_REQUEST, NEXT_NOT_AWAITED, NOT_ANSWERED } from "./errors.ts";
import { type EventContext, RequestEvent } from "./event.ts";
import type { Host } from "./host.ts";
import type { Identify } from "./identify.ts";
import type { Identity } from "./identity.ts";
import { type InjectRequest, type InjectResponse, inject } from "./inject.ts";
import { findLongRequests, type LongRequests } from "./long-requests.ts";
import { answerMalformed } from "./malformed-request.ts";
import {
  abandonResponses,
  endSoon,
  type ObservedResponse,
  observedResponse,
  openResponses,
  RequestObserver,
} from "./observer.ts";
import { isHostilePath } from "./pattern.ts";
import { createProgressDeadline, type ProgressDeadline } from "./progress-deadline.ts";
import type { Route } from "./route.ts";
import { RouteTable } from "./router.ts";
import { cutStalledClients } from "./stalled-clients.ts";
import { anyMethod, createUnmatched } from "./unmatched.ts";

/** Size limits and timeouts of the HTTP server (`limits` in `createApp`). */
export interface ListenerLimits {
  /** Maximum size of a request body, unless the route sets its own limit. Default 1 MiB. */
  bodyBytes: number;
  /** Maximum total size of the request headers. Default 16 KiB. */
  headerBytes: number;
  /** Time a client has to send the request headers. Default 20 s. */
  headersTimeoutMs: number;
  /** Time a client has to send the whole request. Default 120 s. */
  requestTimeoutMs: number;
  /** Maximum time without progress while reading a body. The request ends within twice this time. Default 60 s. */
  bodyTimeoutMs: number;
  /** How long an idle connection stays open. Default 72 s, longer than the usual 60 s of load balancers. */
  keepAliveTimeoutMs: number;
  /** How long a client may stop reading a response. The connection closes within twice this time. Default 30 s. */
  stalledTimeoutMs: number;
  /** Age from which a request without a response is reported as long-running. Default 60 s. */
  longRequestMs: number;
}

export const listenerLimits = {
  bodyBytes: 1_048_576,
  headerBytes: 16_384,
  headersTimeoutMs: 20_000,
  requestTimeoutMs: 120_000,
  bodyTimeoutMs: 60_000,
  keepAliveTimeoutMs: 72_000,
  stalledTimeoutMs: 30_000,
  longRequestMs: 60_000,
} as const satisfies ListenerLimits;

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
  private readonly fastify: FastifyInstance;
  private readonly sockets = new Set<Socket>();
  private readonly unmatched = createUnmatched(this.routes);
  private identify: Identify | undefined;
  private closing: Promise<void> | undefined;
  private readonly stopCutting: () => void;
  private readonly longRequestMs: number;

  constructor({ app, limits, trust, clock = systemClock }: ListenerOptions) {
    this.app = app;
    this.bodyLimit = limits.bodyBytes;
    this.bodyDeadline = createProgressDeadline({ clock, timeoutMs: limits.bodyTimeoutMs });
    this.observer = new RequestObserver(trust);
    this.fastify = createFastify(this.observer, limits);
    this.server.on("checkExpectation", (_request, response) => {
      answerError({ response: responseOf({ raw: response }), isAnswered: false }, EXPECTATION_FAILED());
    });
    this.longRequestMs = limits.longRequestMs;
    this.watchSockets();
    this.stopCutting = cutStalledClients(this.sockets, limits.stalledTimeoutMs);
  }

  get server(): Server {
    return this.fastify.server;
  }

  /** Number of open connections. */
  get connections(): number {
    return this.sockets.size;
  }

  /** Requests in flight for longer than `limits.longRequestMs`. */
  longRequests(now = performance.now()): LongRequests {
    const sockets = this.observer.inFlight === 0 ? [] : this.sockets;
    return findLongRequests(sockets, { olderThanMs: this.longRequestMs, now });
  }

  /** Sets the function that authenticates requests. */
  identifyWith(identify: Identify): void {
    this.identify = identify;
  }

  /** Registers the routes with the server. No routes can be added afterwards. */
  async ready(): Promise<void> {
    const { fastify, routes } = this;
    routes.fix();
    for (const route of routes.routes) this.mount(route);
    this.shieldReservedPrefixes();
    fastify.setNotFoundHandler((_request, reply) => this.serveUnmatched(responseOf(reply)));
    fastify.setErrorHandler((error, _request, reply) => {
      const { statusCode = 500, message } = error as Error & { statusCode?: number };
      const expected = statusCode < 500 ? new ApiError(statusCode, message, { cause: error }) : error;
      const response = responseOf(reply);
      answerError({ response, isAnswered: response.headersSent }, expected);
    });
    await fastify.ready();
  }

  async listen(host: string, port: number): Promise<{ host: string; port: number }> {
    try {
      // For "localhost", Fastify would open a second server that is not observed.
      await this.fastify.listen({ host: host === "localhost" ? "127.0.0.1" : host, port });
    } catch (cause) {
      throw explainListenError(cause as NodeJS.ErrnoException, host, port);
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
    await this.fastify.close();
    // Fastify does not wait for injected requests.
    await Promise.race([this.observer.idle(), over]);
    clearTimeout(deadline);
    this.stopCutting();
  }

  private mount(route: Route<RequestEvent>): void {
    const { method, pattern } = route;
    this.fastify.route({
      method: method === "GET" ? ["GET", "HEAD"] : method,
      url: pattern.url,
      handler: (request, reply) => {
        const params = request.params as Record<string, string>;
        // Fastify allows empty values.
        for (const name of pattern.names) {
          if (params[name] === "") return this.serveUnmatched(responseOf(reply));
        }
        this.serve(route, params, responseOf(reply));
      },
    });
  }

  // Otherwise, a route of the application such as /{rest...} would match unused paths below reserved prefixes.
  private shieldReservedPrefixes(): void {
    const handler = (_request: unknown, reply: { raw: unknown }) => this.serveUnmatched(responseOf(reply));
    for (const { prefix } of this.routes.reservedPrefixes()) {
      for (const url of [prefix, `${prefix}/*`]) {
        const method = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].filter(
          (method) => !this.fastify.hasRoute({ method: method as "GET", url }),
        );
        if (method.length > 0) this.fastify.route({ method, url, handler });
      }
    }
  }

  private serve(
    route: Route<RequestEvent>,
    params: Record<string, string>,
    response: ObservedResponse,
  ): void {
    response.route = route;
    const e = new RequestEvent(this, response, route, params);
    dispatch(e, this.identify);
  }

  private serveUnmatched(response: ObservedResponse): void {
    const { route, params } = this.unmatched(response.method, response.path);
    if (route.method !== anyMethod) {
      this.serve(route, params, response);
      return;
    }
    const e = new RequestEvent(this, response, route, params);
    // Middleware may need the identity; built-in responses do not.
    dispatch(e, route.sharedFunctions.length > 0 ? this.identify : undefined);
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

function createFastify(observer: RequestObserver, limits: ListenerLimits): FastifyInstance {
  const fastify = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    http: {
      ServerResponse: observedResponse(observer),
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs, limits.requestTimeoutMs),
      // Checked in `dispatch`, which sends the standard error body.
      requireHostHeader: false,
      // Node 24 and later: avoids creating a body stream for requests without a body.
      optimizeEmptyRequests: true,
    } as object,
    // A path value can be as long as the whole path.
    routerOptions: { maxParamLength: limits.headerBytes },
    clientErrorHandler: answerMalformed,
    frameworkErrors: (_error, _request, reply) => {
      answerError({ response: responseOf(reply), isAnswered: false }, BAD_PATH());
    },
  });
  // Fastify does not parse the body: the event reads it on demand.
  for (const method of fastify.supportedMethods) {
    fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  return fastify as unknown as FastifyInstance;
}

function dispatch(e: RequestEvent, identify: Identify | undefined): void {
  // Each request has its own callback, so `enterWith` is enough: nothing else runs in this context afterwards, and
  // `run` would cost twice as much.
  traceContext.enterWith(e);
  try {
    if (isHostilePath(e.response.req.url!)) throw BAD_PATH();
    if (e.response.hosts !== 1 && e.response.req.httpVersion !== "1.0") throw MALFORMED_REQUEST();
    const identity = identify === undefined ? null : identify(e);
    if (isPromiseLike<Identity | null>(identity)) {
      identity
        .then((found) => {
          e.auth = e.response.identity = found;
          run(e);
        })
        .then(undefined, (error) => answerError(e, error));
    } else {
      e.auth = e.response.identity = identity;
      run(e);
    }
  } catch (error) {
    answerError(e, error);
  }
}

/** The server creates its responses with our class, which Fastify's types cannot express. */
function responseOf(reply: { raw: unknown }): ObservedResponse {
  return reply.raw as ObservedResponse;
}

function run(e: RequestEvent): void {
  const result = e.route.functions[0]!(e);
  if (isPromiseLike<unknown>(result))
    result.then(() => finish(e)).then(undefined, (error) => answerError(e, error));
  else finish(e);
}

function finish(e: RequestEvent): void {
  if (e.isAnswered) return;
  const error = e.isContinuing ? NEXT_NOT_AWAITED : NOT_ANSWERED;
  throw error(e.method, e.route.pattern.text);
}

function explainListenError(cause: NodeJS.ErrnoException, host: string, port: number): unknown {
  switch (cause.code) {
    case "EADDRINUSE":
      return new StartError(
        "PORT_IN_USE",
        `Port ${port} on ${host} is in use by another program. Stop that program, or choose another port with SVC_PORT or the option "port".`,
        { cause },
      );
    case "EACCES":
      return new StartError(
        "ADDRESS_UNAVAILABLE",
        `No permission to open port ${port} on ${host}. Choose a port above 1023 with SVC_PORT or the option "port".`,
        { cause },
      );
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartError(
        "ADDRESS_UNAVAILABLE",
        `The address "${host}" does not belong to this machine. Change SVC_HOST or the option "host".`,
        { cause },
      );
    default:
      return cause;
  }
}
