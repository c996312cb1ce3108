import type { Server } from "node:http";
import type { Socket } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { type AlarmClock, systemClock } from "../lib/clock.ts";
import { ApiError } from "../lib/errors.ts";
import { StartError } from "../lib/start-error.ts";
import { traceContext } from "../lib/trace-context.ts";
import type { ProxyTrust } from "./client-address.ts";
import { answerError } from "./error-answer.ts";
import { BAD_PATH, EXPECTATION_FAILED, MALFORMED_REQUEST, NOT_ANSWERED } from "./errors.ts";
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

export interface ListenerLimits {
  /** The most bytes of a request body, unless its route says otherwise. Default 1 MiB. */
  bodyBytes: number;
  /** The most bytes of a request's headers together. Default 16 KiB. */
  headerBytes: number;
  /** How long a client may take to send its headers. Default 20 s. */
  headersTimeoutMs: number;
  /** How long a client may take to send a whole request. Default 120 s. */
  requestTimeoutMs: number;
  /** How long reading or parsing a body may make no progress; it ends within twice that. Default 60 s. */
  bodyTimeoutMs: number;
  /** How long an idle connection is kept. Default 72 s, longer than the usual load balancer's 60. */
  keepAliveTimeoutMs: number;
  /** How long a client may leave an answer unread before it is cut off. Default 30 s. */
  stalledTimeoutMs: number;
  /** The age from which a request without a response is reported as long-running. Default 60 s. */
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

/** The one listener of a program: it owns the server, the routes on it and what is observed there. */
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

  /** Open connections. */
  get connections(): number {
    return this.sockets.size;
  }

  /** Requests that have waited long for a response. */
  longRequests(now = performance.now()): LongRequests {
    const sockets = this.observer.inFlight === 0 ? [] : this.sockets;
    return findLongRequests(sockets, { olderThanMs: this.longRequestMs, now });
  }

  /** Sets who is asked for the identity behind each request. */
  identifyWith(identify: Identify): void {
    this.identify = identify;
  }

  /** Hands the routes over to the server. From here on the table is fixed. */
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
      // For "localhost" Fastify would open a second server that nobody watches.
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

  /** From now on answers ask their clients to close, so that the connections run dry. */
  drain(): void {
    this.observer.draining = true;
  }

  /** Stops accepting, lets what is in flight end within the grace period, and cuts what has not. */
  close(graceMs: number): Promise<void> {
    this.closing ??= this.shut(graceMs);
    return this.closing;
  }

  private async shut(graceMs: number): Promise<void> {
    // The others are ended when their responses are.
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
    // The server does not wait for requests in memory.
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
        // Fastify lets a value be empty.
        for (const name of pattern.names) {
          if (params[name] === "") return this.serveUnmatched(responseOf(reply));
        }
        this.serve(route, params, responseOf(reply));
      },
    });
  }

  // An application's route such as /{rest...} would otherwise answer for what our own parts leave open below their
  // prefixes.
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
    // Middleware may want to know who asks; an answer of our own does not.
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
      // Asked in dispatch, so that the answer is the one error body.
      requireHostHeader: false,
      // Node 24 and later: saves building a stream for the body of a request that has none.
      optimizeEmptyRequests: true,
    } as object,
    // A path value may be as long as a path can be.
    routerOptions: { maxParamLength: limits.headerBytes },
    clientErrorHandler: answerMalformed,
    frameworkErrors: (_error, _request, reply) => {
      answerError({ response: responseOf(reply), isAnswered: false }, BAD_PATH());
    },
  });
  // The body is left where it is: the event reads it when a handler asks.
  for (const method of fastify.supportedMethods) {
    fastify.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  return fastify as unknown as FastifyInstance;
}

function dispatch(e: RequestEvent, identify: Identify | undefined): void {
  // Each request arrives in a callback of its own, so entering is enough: nothing after it runs in this context, and
  // leaving it by `run` would cost twice as much.
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

/** The server was given our class, so its responses are of it; Fastify's types cannot say so. */
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
  if (!e.isAnswered) throw NOT_ANSWERED(e.method, e.route.pattern.text);
}

function isPromiseLike<T>(value: unknown): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && typeof (value as PromiseLike<T>).then === "function";
}

function explainListenError(cause: NodeJS.ErrnoException, host: string, port: number): unknown {
  switch (cause.code) {
    case "EADDRINUSE":
      return new StartError(
        "PORT_IN_USE",
        `Port ${port} on ${host} is in use by another program: stop that one, or choose another port with SVC_PORT or the option "port".`,
        { cause },
      );
    case "EACCES":
      return new StartError(
        "ADDRESS_UNAVAILABLE",
        `Port ${port} on ${host} may not be opened by this user: choose one above 1023 with SVC_PORT or the option "port".`,
        { cause },
      );
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartError(
        "ADDRESS_UNAVAILABLE",
        `The address "${host}" is not one of this machine: change SVC_HOST or the option "host".`,
        { cause },
      );
    default:
      return cause;
  }
}
