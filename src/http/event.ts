import type { IncomingMessage } from "node:http";
import { finished, type Readable } from "node:stream";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ApiError } from "../lib/errors.ts";
import type { Traced } from "../lib/trace-context.ts";
import { type Answer, answered } from "./answer.ts";
import { type Body, createBody } from "./body.ts";
import { answerError } from "./error-answer.ts";
import { ALREADY_ANSWERED, BODY_NOT_OBJECT, UNKNOWN_PATH_VALUE } from "./errors.ts";
import type { Host } from "./host.ts";
import type { Identity } from "./identity.ts";
import { type ObservedResponse, originForm } from "./observer.ts";
import type { ProgressDeadline } from "./progress-deadline.ts";
import type { Route } from "./route.ts";

/** What a request event needs of the server it belongs to. */
export interface EventContext {
  readonly app: Host;
  readonly bodyLimit: number;
  readonly bodyDeadline: ProgressDeadline;
}

/** One request on its way through middleware and handler, with everything to read it and to answer it. */
export class RequestEvent<Params extends string = string> implements Traced {
  readonly response: ObservedResponse;
  readonly route: Route<RequestEvent>;
  /** Who sent the request, as found out before the first middleware ran. */
  auth: Identity | null = null;
  private readonly context: EventContext;
  private readonly params: Record<string, string>;
  private position = 0;
  private body: Body | undefined = undefined;
  private parsedUrl: URL | undefined = undefined;
  private parsedSearch: URLSearchParams | undefined = undefined;
  private values: Map<string, unknown> | undefined = undefined;
  /** Whether the answer is a stream, of which nothing may have been sent yet. */
  private isStreaming = false;

  constructor(
    context: EventContext,
    response: ObservedResponse,
    route: Route<RequestEvent>,
    params: Record<string, string>,
  ) {
    this.context = context;
    this.response = response;
    this.route = route;
    this.params = params;
  }

  get app(): Host {
    return this.context.app;
  }

  /** Node's own request. */
  get request(): IncomingMessage {
    return this.response.tracedRequest;
  }

  get method(): string {
    return this.response.method;
  }

  /** The path as it was sent, without the query. */
  get path(): string {
    return this.response.path;
  }

  get traceId(): string {
    return this.response.traceId;
  }

  /** The caller's W3C trace context, when it sent one. */
  get traceparent(): string | undefined {
    return this.response.traceparent;
  }

  /** The client's address: the socket's, or the one that a trusted proxy forwards. */
  get ip(): string {
    return this.response.client.ip;
  }

  /** Whether the client's connection is encrypted, here or at a trusted proxy. */
  get isSecure(): boolean {
    return (
      this.forwarded("x-forwarded-proto")?.split(",")[0]?.trim() === "https" ||
      "encrypted" in this.response.req.socket
    );
  }

  get url(): URL {
    if (this.parsedUrl === undefined) {
      const scheme = this.isSecure ? "https" : "http";
      const { host } = this.response;
      const origin = `${scheme}://${host}`;
      // A host that holds a path or a query of its own must not put them before the real ones.
      const isHost = /^[^\s/\\?#@]+$/.test(host) && URL.canParse(origin);
      const target = originForm(this.response.req.url!);
      // Joined as text: resolved against the origin, a path of two slashes would be another host's address.
      this.parsedUrl = new URL(
        (isHost ? origin : `${scheme}://localhost`) + (target[0] === "/" ? target : "/"),
      );
    }
    return this.parsedUrl;
  }

  /** The first query value of that name. */
  query(name: string): string | undefined {
    return this.search?.get(name) ?? undefined;
  }

  queryAll(name: string): string[] {
    return this.search?.getAll(name) ?? [];
  }

  private get search(): URLSearchParams | undefined {
    if (this.parsedSearch === undefined) {
      const target = this.response.req.url!;
      const start = target.indexOf("?");
      if (start === -1) return undefined;
      this.parsedSearch = new URLSearchParams(target.slice(start));
    }
    return this.parsedSearch;
  }

  header(name: string): string | undefined {
    const lower = name.toLowerCase();
    const value: unknown = lower === "x-trace-id" ? this.traceId : this.response.req.headers[lower];
    if (typeof value === "string") return value;
    return Array.isArray(value) ? value.join(", ") : undefined;
  }

  cookie(name: string): string | undefined {
    const header = this.response.req.headers.cookie;
    if (header === undefined) return undefined;
    for (const pair of header.split(";")) {
      const equals = pair.indexOf("=");
      if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
    }
    return undefined;
  }

  pathValue(name: Params): string {
    const { pattern } = this.route;
    const value = this.params[name === pattern.rest ? "*" : name];
    if (value === undefined) throw UNKNOWN_PATH_VALUE(pattern.text, name);
    return value;
  }

  /** The body as JSON, form fields or multipart, by its content type. With a schema the value is checked against it. */
  bindBody<S extends StandardSchemaV1>(schema: S): Promise<StandardSchemaV1.InferOutput<S>>;
  bindBody<T>(): Promise<T>;
  bindBody(schema?: StandardSchemaV1): Promise<unknown> {
    return schema === undefined ? this.readValue() : this.content.validated(schema);
  }

  /** `null` has no fields to read, so without a schema that allows it, it is refused. */
  private async readValue(): Promise<unknown> {
    const value = await this.content.value();
    const isObject = typeof value === "object" && !Array.isArray(value);
    if (value === null || (this.route.takesObject && !isObject)) throw BODY_NOT_OBJECT();
    return value;
  }

  readText(): Promise<string> {
    return this.content.text();
  }

  readBytes(): Promise<Uint8Array> {
    return this.content.bytes();
  }

  /** Sets the most bytes that this request's body may have; to be called before it is read. */
  limitBody(bytes: number): void {
    this.content.limit = bytes;
  }

  private get content(): Body {
    this.body ??= createBody({
      request: this.response.req,
      response: this.response,
      limit: this.context.bodyLimit,
      deadline: this.context.bodyDeadline,
    });
    return this.body;
  }

  json<S extends number, T>(status: S, data: T): Answer<S, T> {
    return this.send(status, "application/json; charset=utf-8", JSON.stringify(data) ?? "null");
  }

  text<S extends number>(status: S, body: string): Answer<S, string> {
    return this.send(status, "text/plain; charset=utf-8", body);
  }

  html<S extends number>(status: S, body: string): Answer<S, string> {
    return this.send(status, "text/html; charset=utf-8", body);
  }

  /** Answers with bytes of any content type. */
  bytes<S extends number>(status: S, type: string, body: Uint8Array): Answer<S, Uint8Array> {
    return this.send(status, type, body);
  }

  noContent(): Answer<204, never> {
    this.begin().writeHead(204).end();
    return answered;
  }

  /** Sends the client elsewhere. What a header cannot carry is escaped. */
  redirect<S extends number>(status: S, location: string): Answer<S, never> {
    const Location = location.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()));
    this.begin().writeHead(status, { Location, "Content-Length": 0 }).end();
    return answered;
  }

  /**
   * Sends a stream as it comes. If it breaks before its first byte the client gets an error; later, the connection is
   * cut, so that the client knows it is not whole.
   */
  stream<S extends number>(status: S, type: string, body: Readable): Answer<S, Readable> {
    const response = this.begin();
    this.isStreaming = true;
    const fail = (error: unknown) => {
      this.isStreaming = false;
      answerError(this, error, "The answer's stream broke");
    };
    const start = () => {
      try {
        response.writeHead(status, { "Content-Type": type });
        if (this.method === "HEAD" || body.readableEnded) response.end();
        else body.pipe(response);
      } catch (error) {
        fail(error);
      }
    };
    body.once("readable", start);
    response.once("close", () => body.destroy());
    finished(body, { writable: false }, (error) => {
      if (response.destroyed || response.writableEnded) return;
      if (error) fail(error);
      else if (!response.headersSent) start();
    });
    return answered;
  }

  private send(status: number, type: string, body: string | Uint8Array): Answer<never, never> {
    this.begin().answer(status, type, body);
    return answered;
  }

  private begin(): ObservedResponse {
    if (this.response.headersSent || this.isStreaming) throw ALREADY_ANSWERED(this.method, this.path);
    return this.response;
  }

  /** Sets a header of the answer; to be called before answering. */
  setHeader(name: string, value: string | number | readonly string[]): void {
    this.response.setHeader(name, value);
  }

  /** An error to be thrown: the client gets the status, the message and the data. */
  error(status: number, message: string, data?: object): ApiError {
    return new ApiError(status, message, data === undefined ? {} : { data });
  }

  get<T>(key: string): T | undefined {
    return this.values?.get(key) as T | undefined;
  }

  set(key: string, value: unknown): void {
    this.values ??= new Map();
    this.values.set(key, value);
  }

  /** In middleware: runs what comes after it, and resolves when that is done. Calling it again does nothing. */
  async next(): Promise<void> {
    const { functions } = this.route;
    const func = functions[++this.position];
    if (func === undefined) return;
    try {
      await func(this);
    } finally {
      // Else a second call would go on behind a function that has just refused the request.
      this.position = functions.length;
    }
  }

  /** Whether an answer has begun, or nobody is left to answer. */
  get isAnswered(): boolean {
    return this.response.headersSent || this.isStreaming || this.response.destroyed;
  }

  private forwarded(name: string): string | undefined {
    return this.response.isFromTrustedProxy ? this.header(name) : undefined;
  }
}
