import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ApiError } from "../lib/errors/errors.ts";
import type { Traced } from "../lib/trace-context.ts";
import { Body, type BodyOptions } from "./body/body.ts";
import { runNext } from "./chain.ts";
import type { Compression } from "./compression/compression.ts";
import { respondWithError } from "./errors/error-response.ts";
import { RESPONSE_ALREADY_SENT, UNKNOWN_PATH_VALUE } from "./errors/errors.ts";
import { setResponseHeader } from "./headers/added-headers.ts";
import { type CookieOptions, findCookie, formatCookie } from "./headers/cookies.ts";
import type { Host } from "./host.ts";
import type { Identity } from "./identity.ts";
import { bindPath, namedValues } from "./input/bind-path.ts";
import { bindQuery } from "./input/bind-query.ts";
import { toInputError } from "./input/input-error.ts";
import type { ObservedResponse } from "./observation/observed-response.ts";
import { searchOf, urlOf } from "./observation/request-target.ts";
import type { PathValues } from "./route/pattern.ts";
import type { Route } from "./route/route.ts";
import { alreadySent, type SentResponse } from "./sent-response.ts";
import {
  type EventProducer,
  type EventStreamOptions,
  type StreamContext,
  sendEvents,
} from "./streams/event-stream.ts";
import { sendStream } from "./streams/response-stream.ts";

/** The parts of the server that a request event uses. */
export interface EventContext extends StreamContext, BodyOptions {
  readonly app: Host;
}

/**
 * A request and its response. Middleware and handlers receive it as their argument.
 *
 * ```ts
 * router.get("/users/{id}", async (e) => {
 *   const user = await findUser(e.pathValue("id"));
 *   if (!user) throw e.error(404, "User not found.");
 *   return e.json(200, user);
 * });
 * ```
 */
export class RequestEvent<Params extends string = string> implements Traced {
  /** Node's response object. */
  readonly response: ObservedResponse;
  /** The route that handles the request. */
  readonly route: Route<RequestEvent>;
  /** The authenticated identity, or `null`. Set before the first middleware runs. */
  auth: Identity | null = null;
  private readonly context: EventContext;
  private readonly params: PathValues;
  private position = 0;
  private body: Body | undefined = undefined;
  private parsedUrl: URL | undefined = undefined;
  private parsedSearch: URLSearchParams | undefined = undefined;
  private values: Map<string, unknown> | undefined = undefined;
  private knownStart: Date | undefined = undefined;
  /** Whether the response is a stream. Its head may not have been sent yet. */
  private isStreaming = false;
  /**
   * Compresses the response. Set by `compress()`.
   * @internal
   */
  compression: Compression | undefined = undefined;
  /**
   * Whether the response is being compressed.
   * @internal
   */
  isComplete = false;

  constructor(
    context: EventContext,
    response: ObservedResponse,
    route: Route<RequestEvent>,
    params: PathValues,
  ) {
    this.context = context;
    this.response = response;
    this.route = route;
    this.params = params;
  }

  /** The application. */
  get app(): Host {
    return this.context.app;
  }

  /** Node's request object. */
  get request(): IncomingMessage {
    return this.response.observed.tracedRequest;
  }

  /** The HTTP method, such as "GET". */
  get method(): string {
    return this.response.observed.method;
  }

  /** The path as sent, without the query. */
  get path(): string {
    return this.response.observed.path;
  }

  /** The trace ID of the request, as in the `X-Trace-ID` response header and in log records. */
  get traceId(): string {
    return this.response.observed.traceId;
  }

  /** The W3C trace context of the caller (`traceparent` header), if sent. */
  get traceparent(): string | undefined {
    return this.response.observed.traceparent;
  }

  /** The client's address: the socket's, or the one that a trusted proxy forwards. */
  get ip(): string {
    return this.response.observed.client.ip;
  }

  /** The client's `User-Agent` header, or "". */
  get userAgent(): string {
    return this.response.observed.client.userAgent;
  }

  /** When the request was received. */
  get startTime(): Date {
    this.knownStart ??= new Date(Date.now() - (performance.now() - this.response.observed.startedAt));
    return this.knownStart;
  }

  /** Milliseconds since the request was received. After the response has ended, the duration of the request. */
  get durationMs(): number {
    return this.response.observed.elapsedMs;
  }

  /** The status code of the response. `undefined` until a handler or middleware has responded. */
  get statusCode(): number | undefined {
    return this.isAnswered ? this.response.statusCode : undefined;
  }

  /** Whether the client's connection is encrypted, here or at a trusted proxy. */
  get isSecure(): boolean {
    return this.response.observed.isSecure;
  }

  /**
   * Aborts when the client disconnects, or when the server stops: for streams immediately, for other responses shortly
   * before their connection is closed.
   *
   * ```ts
   * const prices = await fetch(pricesUrl, { signal: e.signal });
   * ```
   */
  get signal(): AbortSignal {
    return this.context.shutdown.signalOf(this.response);
  }

  /** The path before the paths of Annex, such as "/internal", or "". See the option `basePath`. */
  get basePath(): string {
    return this.response.observed.observer.basePath;
  }

  /** The full URL. Behind a trusted proxy, it has the forwarded host. */
  get url(): URL {
    this.parsedUrl ??= urlOf(this.response.observed);
    return this.parsedUrl;
  }

  /** The first value of a query parameter. */
  query(name: string): string | undefined {
    return this.search?.get(name) ?? undefined;
  }

  /** All values of a query parameter. */
  queryAll(name: string): string[] {
    return this.search?.getAll(name) ?? [];
  }

  private get search(): URLSearchParams | undefined {
    this.parsedSearch ??= searchOf(this.response.req.url!);
    return this.parsedSearch;
  }

  /** A request header, by its case-insensitive name. */
  header(name: string): string | undefined {
    const lower = name.toLowerCase();
    const value: unknown = lower === "x-trace-id" ? this.traceId : this.response.req.headers[lower];
    if (typeof value === "string") return value;
    return Array.isArray(value) ? value.join(", ") : undefined;
  }

  /** The decoded value of a cookie. */
  cookie(name: string): string | undefined {
    const header = this.response.req.headers.cookie;
    return header === undefined ? undefined : findCookie(header, name);
  }

  /** The decoded value of `{name}` or `{name...}` in the route pattern. */
  pathValue(name: Params): string {
    const { pattern } = this.route;
    const value = this.params[name === pattern.rest ? "*" : name];
    if (value === undefined) throw UNKNOWN_PATH_VALUE(pattern.text, name);
    return value;
  }

  /**
   * Validates the query with a Standard Schema (zod, valibot, arktype …). A value is a string, or an array of strings
   * if its name is repeated. If the schema expects an array, a single value is accepted as well.
   *
   * ```ts
   * const { page } = await e.bindQuery(z.object({ page: z.coerce.number().int().default(1) }));
   * ```
   */
  bindQuery<S extends StandardSchemaV1>(schema: S): Promise<StandardSchemaV1.InferOutput<S>> {
    return bindQuery(schema, this.response.req.url!, this.context.bodyDeadline);
  }

  /**
   * Validates the path values with a Standard Schema. Each value is a string with the name in the route pattern.
   *
   * ```ts
   * const { id } = await e.bindPath(z.object({ id: z.uuid() }));
   * ```
   */
  bindPath<S extends StandardSchemaV1>(schema: S): Promise<StandardSchemaV1.InferOutput<S>> {
    return bindPath(schema, namedValues(this.route.pattern, this.params), this.context.bodyDeadline);
  }

  /**
   * Parses the body as JSON, form fields or multipart, depending on its content type. Validates it if a Standard Schema
   * (zod, valibot, arktype …) is passed.
   *
   * ```ts
   * const { title } = await e.bindBody(z.object({ title: z.string() }));
   * ```
   */
  bindBody<S extends StandardSchemaV1>(schema: S): Promise<StandardSchemaV1.InferOutput<S>>;
  bindBody<T>(): Promise<T>;
  bindBody(schema?: StandardSchemaV1): Promise<unknown> {
    return schema === undefined ? this.content.unvalidated(this.route) : this.content.validated(schema);
  }

  /** Reads the body as UTF-8 text. */
  readText(): Promise<string> {
    return this.content.text();
  }

  /** Reads the body as bytes, without decompressing it. */
  readBytes(): Promise<Uint8Array> {
    return this.content.bytes();
  }

  /** Sets the maximum size of the body. Call it before the body is read. */
  limitBody(bytes: number): void {
    this.content.limit = bytes;
  }

  /** @internal */
  get content(): Body {
    this.body ??= new Body(this.response, this.context);
    return this.body;
  }

  /** Sends JSON. */
  json<S extends number, T>(status: S, data: T): SentResponse<S, T> {
    return this.send(status, "application/json; charset=utf-8", JSON.stringify(data) ?? "null");
  }

  /** Sends plain text. */
  text<S extends number>(status: S, body: string): SentResponse<S, string> {
    return this.send(status, "text/plain; charset=utf-8", body);
  }

  /** Sends HTML. */
  html<S extends number>(status: S, body: string): SentResponse<S, string> {
    return this.send(status, "text/html; charset=utf-8", body);
  }

  /** Sends bytes with the given content type. */
  bytes<S extends number>(status: S, type: string, body: Uint8Array): SentResponse<S, Uint8Array> {
    return this.send(status, type, body);
  }

  /** Sends `204` without a body. */
  noContent(): SentResponse<204, never> {
    this.begin().writeHead(204).end();
    return alreadySent;
  }

  /** Redirects to another URL. Characters that are invalid in a header are percent-encoded. */
  redirect<S extends number>(status: S, location: string): SentResponse<S, never> {
    const Location = location.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()));
    this.begin().writeHead(status, { Location, "Content-Length": 0 }).end();
    return alreadySent;
  }

  /**
   * Sends a stream. If the stream fails before its first byte, the client gets an error response. If it fails later,
   * the connection is closed, so that the client notices the incomplete response. When the server stops, event streams
   * end within a second; other streams have the grace period to finish, unless they end when `signal` aborts.
   */
  stream<S extends number>(status: S, type: string, body: Readable): SentResponse<S, Readable> {
    const response = this.begin();
    response.statusCode = status;
    this.isStreaming = true;
    const fail = (error: unknown) => {
      this.isStreaming = false;
      respondWithError(this, error, "Failed to send a response stream");
    };
    sendStream(this, { status, type, body, shutdown: this.context.shutdown, fail });
    return alreadySent;
  }

  /**
   * Sends server-sent events: those that a generator yields, or those that a function passes to `send`. The stream ends
   * with the generator, when the client disconnects or when the server stops.
   *
   * All events can have any data, unless a type is given: `e.sse<Order>(…)`.
   *
   * ```ts
   * return e.sse(async function* ({ signal, lastEventId }) {
   *   for await (const order of orders.watch({ after: lastEventId, signal }))
   *     yield { event: "order", id: order.id, data: order };
   * });
   * ```
   */
  sse<T = unknown>(
    produce: EventProducer<NoInfer<T>>,
    options: EventStreamOptions = {},
  ): SentResponse<200, string> {
    const response = this.begin();
    if (this.method !== "HEAD") this.context.openStreams.admit("eventStreams", response);
    this.isStreaming = true;
    sendEvents(this, produce, this.context, options);
    return alreadySent;
  }

  private send(status: number, type: string, body: string | Uint8Array): SentResponse<never, never> {
    const response = this.begin();
    if (this.compression === undefined) {
      response.respond(status, type, body);
    } else {
      // Compression may take a while, and middleware can read the status meanwhile.
      response.statusCode = status;
      this.compression.respond(this, status, type, body);
    }
    return alreadySent;
  }

  private begin(): ObservedResponse {
    if (this.isAnswered) throw RESPONSE_ALREADY_SENT(this.method, this.path);
    return this.response;
  }

  /** Whether a response has been started. Its head may not have been sent yet. */
  private get isAnswered(): boolean {
    return this.response.headersSent || this.isStreaming || this.isComplete;
  }

  /** Sets a response header. Call it before the response is sent. Values of `Set-Cookie` and `Vary` are added. */
  setHeader(name: string, value: string | number | readonly string[]): void {
    setResponseHeader(this.response, name, value);
  }

  /**
   * Adds a cookie to the response. By default, scripts and requests from other sites cannot use it, and it is sent only
   * over HTTPS if the request came over HTTPS.
   *
   * ```ts
   * e.setCookie("session", token, { maxAge: 3_600 });
   * ```
   */
  setCookie(name: string, value: string, options: CookieOptions = {}): void {
    this.setHeader("Set-Cookie", formatCookie(name, value, options, this.isSecure));
  }

  /** Deletes a cookie. Pass the `path` and `domain` that it was set with. */
  clearCookie(name: string, options: Omit<CookieOptions, "maxAge" | "expires"> = {}): void {
    this.setCookie(name, "", { ...options, maxAge: 0 });
  }

  /** Creates an error to throw. The client receives its status, message and data. */
  error(status: number, message: string, data?: object): ApiError {
    return new ApiError(status, message, data === undefined ? {} : { data });
  }

  /**
   * The error for the client if a validator that the application called rejected the request.
   * @internal
   */
  toInputError(thrown: unknown): ApiError | undefined {
    return toInputError(thrown, () => ({
      ...(this.body?.given !== undefined && { body: this.body.given }),
      ...(this.parsedUrl !== undefined && { query: Object.fromEntries(this.parsedUrl.searchParams) }),
    }));
  }

  /** Returns a value that was stored with `set` for this request. */
  get<T>(key: string): T | undefined {
    return this.values?.get(key) as T | undefined;
  }

  /** Stores a value for later middleware and the handler. */
  set(key: string, value: unknown): void {
    this.values ??= new Map();
    this.values.set(key, value);
  }

  /**
   * In middleware: runs the following middleware and the handler, and resolves when they have finished. Further calls
   * do nothing.
   */
  next(): Promise<void> {
    return runNext(this);
  }

  /**
   * Calls the following function. `endNext` must be called when it has finished.
   * @internal
   */
  callNext(): unknown {
    return this.route.functions[++this.position]?.(this);
  }

  /**
   * Lets further calls of `next` do nothing: they must not continue after a function that rejected the request.
   * @internal
   */
  endNext(): void {
    this.position = this.route.functions.length;
  }

  /**
   * Whether a function that `next` has called is still running.
   * @internal
   */
  get isContinuing(): boolean {
    return this.position > 0 && this.position < this.route.functions.length;
  }

  /** Whether a response has been started or the client has disconnected. */
  get hasResponded(): boolean {
    return this.isAnswered || this.response.destroyed;
  }
}
