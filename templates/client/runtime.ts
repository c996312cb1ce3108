/**
 * The part of a generated client that is the same for every API. `annex client` replaces everything above the line
 * below with the types and the routes of the API.
 */

interface NoteSample {
  text: string;
}

export interface ApiRoutes {
  get: {
    "/notes/{id}": {
      request: { path: { id: string | number } };
      responses: { 200: NoteSample };
      errors: { 404: unknown; default: unknown };
    };
  };
  post: {
    "/notes": {
      request: { body: NoteSample };
      headers: { "idempotency-key": string };
      responses: { 201: NoteSample };
      errors: { default: unknown };
    };
  };
}

export interface ApiCredentials {
  bearerAuth?: ApiCredential | undefined;
}

const defaultBaseUrl: string = "";

const versionPrefix: string = "/api/v1";

const routes: ApiRouteTable = {};

const securitySchemes: ApiSecuritySchemes = {
  bearerAuth: { header: "authorization", prefix: "Bearer " },
};

// ---------------------------------------------------------------------------------------------------------------------

export interface ApiClientOptions<Given extends string = never> {
  /** URL of the API, such as `https://example.com/api/v1`. Default: the URL in the document, or the origin of the page. */
  baseUrl?: string | undefined;
  /** Headers of every request. A function is called before each request. */
  headers?:
    | ApiGivenHeaders<Given>
    | (() => ApiGivenHeaders<Given> | Promise<ApiGivenHeaders<Given>>)
    | undefined;
  /** Credentials by security scheme. They are sent with the operations that accept the scheme. */
  auth?: ApiCredentials | undefined;
  /** Use `include` to send cookies to another origin. Default: that of `fetch`, `same-origin`. */
  credentials?: NonNullable<RequestInit["credentials"]> | undefined;
  /** Replaces `fetch`, for example to retry requests or in tests. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

type ApiGivenHeaders<Given extends string> = { readonly [name in Given]: string };

/** A credential, or a function that returns it before each request. */
export type ApiCredential<T = string> = T | undefined | (() => T | undefined | Promise<T | undefined>);

export type ApiMethod = keyof ApiRoutes;

export type ApiPath<M extends ApiMethod> = keyof ApiRoutes[M] & string;

/** The data of a successful response. */
export type ApiData<M extends ApiMethod, P extends ApiPath<M>> = ApiValues<ApiPart<M, P, "responses">>;

/** The options of a call: path values, query, headers and body of the request, and a signal that cancels it. */
export type ApiRequest<M extends ApiMethod, P extends ApiPath<M>, Given extends string = never> = ApiPart<
  M,
  P,
  "request"
> &
  ApiRequestHeaders<ApiRoutes[M][P] extends { headers: infer H } ? Omit<H, Given> : ApiNothing> & {
    /** Cancels the request. */
    signal?: AbortSignal | undefined;
    /** Further options of `fetch`, such as `cache`. */
    init?: Omit<RequestInit, "body" | "headers" | "method" | "signal"> | undefined;
  };

/** The response of `api.fetch`. Its `status` determines the type of `json()`. */
export type ApiResponse<M extends ApiMethod, P extends ApiPath<M>> = ApiResponses<ApiPart<M, P, "responses">>;

/** An error with a documented body. Its `status` determines the type of `body` and `data`. */
export type ApiErrorOf<M extends ApiMethod, P extends ApiPath<M>> = ApiErrors<ApiPart<M, P, "errors">>;

export interface ApiClient<Given extends string = never> extends ApiMethods<Given> {
  /** Returns the response before its body is read: for its status, its headers, or to read it as a stream. */
  fetch<M extends ApiMethod, P extends ApiPath<M>>(
    method: M,
    path: P,
    ...options: ApiArguments<ApiRequest<M, P, Given>>
  ): Promise<ApiResponse<M, P>>;
}

/** An event of a `text/event-stream`. */
export interface ApiEvent {
  /** `message` if the server sent no name. */
  event: string;
  data: string;
  /** The last ID that the server sent. */
  id: string;
}

/** A response with a status other than 2xx. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly method: string;
  /** The path of the operation, such as `/todos/{id}`. */
  readonly path: string;
  readonly status: number;
  /** For invalid fields, a code and a message by field name. Otherwise data from the application. */
  readonly data: { readonly [name: string]: unknown };
  /** Use it to find the request in the log of the server. */
  readonly trace_id: string;
  /** The whole body: parsed JSON, or text. */
  readonly body: unknown;
  /** For the headers. The body has been read. */
  readonly response: Response;

  constructor(method: string, path: string, response: Response, body: unknown) {
    const { message, data, trace_id } = (isRecord(body) ? body : {}) as {
      message?: unknown;
      data?: unknown;
      trace_id?: unknown;
    };
    const { status, statusText } = response;
    const fallback = `${method.toUpperCase()} ${path} returned ${status} ${statusText}`.trim();
    super(typeof message === "string" ? message : fallback);
    this.method = method;
    this.path = path;
    this.status = status;
    this.data = isRecord(data) ? data : {};
    this.trace_id = typeof trace_id === "string" ? trace_id : (response.headers.get("x-trace-id") ?? "");
    this.body = body;
    this.response = response;
  }
}

/** Whether it is an error response of this operation. */
export function isApiError<M extends ApiMethod, P extends ApiPath<M>>(
  error: unknown,
  method: M,
  path: P,
): error is ApiErrorOf<M, P> {
  return error instanceof ApiError && error.method === method && error.path === path;
}

/**
 * Creates a client. Its methods return the data of a successful response and throw an `ApiError` for every other one.
 * They do not check whether the data has the documented type.
 */
export function createClient<Given extends string = never>(
  options: ApiClientOptions<Given> = {},
): ApiClient<Given> {
  const { auth = {}, credentials, headers: shared } = options as ApiClientOptions<string>;
  const base = (options.baseUrl ?? defaultBaseUrl).replace(/\/+$/, "");
  const root = base.endsWith(versionPrefix) ? base.slice(0, base.length - versionPrefix.length) : base;
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));

  async function request(method: string, path: string, call: ApiCall = {}): Promise<Response> {
    const route = routes[`${method} ${path}`] ?? {};
    const headers = new Headers(route.isJson === false ? {} : { accept: "application/json" });
    const query = addFields(new URLSearchParams(), call.query ?? {});
    const body = call.body === undefined ? undefined : writeBody(call.body, headers, route.body);
    setHeaders(headers, (typeof shared === "function" ? await shared() : shared) ?? {});
    await addCredentials(route.security ?? [], auth, headers, query);
    setHeaders(headers, call.headers ?? {});
    const search = query.toString();
    const url = (route.isOutside ? root : base) + fillPath(path, call.path ?? {}, route.rest);
    const response = await send(search === "" ? url : `${url}?${search}`, {
      ...(credentials !== undefined && { credentials }),
      ...call.init,
      ...(call.signal !== undefined && { signal: call.signal }),
      ...(body !== undefined && { body }),
      // Node requires this to send a stream.
      ...(typeof body === "object" && "getReader" in body && { duplex: "half" }),
      method: method.toUpperCase(),
      headers,
    });
    if (!response.ok) throw new ApiError(method, path, response, await readErrorBody(response));
    return response;
  }

  const client: { [name: string]: unknown } = { fetch: request };
  for (const method of ["get", "post", "put", "patch", "delete", "head", "options", "trace"]) {
    client[method] = async (path: string, call?: ApiCall) => {
      const response = await request(method, path, call);
      const isJson = routes[`${method} ${path}`]?.isJson !== false;
      return isJson ? readJson(response, `${method.toUpperCase()} ${path}`) : readByType(response);
    };
  }
  return client as unknown as ApiClient<Given>;
}

/** The facts that requests need and types do not have. Routes without an entry send and return JSON. */
interface ApiRouteTable {
  readonly [route: string]: {
    /** The type of the body. Default: JSON. */
    readonly body?: string;
    /** Whether all successful responses are JSON. Default: true. */
    readonly isJson?: boolean;
    /** The path value that can contain slashes. */
    readonly rest?: string;
    /** The security schemes that it accepts. */
    readonly security?: readonly string[];
    /** Whether its path does not begin with the prefix of the version. */
    readonly isOutside?: boolean;
  };
}

interface ApiSecuritySchemes {
  readonly [name: string]: { readonly header?: string; readonly query?: string; readonly prefix?: string };
}

interface ApiCall {
  readonly path?: object;
  readonly query?: object;
  readonly headers?: object;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly init?: RequestInit;
}

type ApiNothing = Record<never, never>;

type ApiValues<T> = T[keyof T];

type ApiPart<M extends ApiMethod, P extends ApiPath<M>, K extends string> = ApiRoutes[M][P] extends {
  [key in K]: infer T;
}
  ? T
  : never;

type ApiMethods<Given extends string> = {
  [M in ApiMethod]: <P extends ApiPath<M>>(
    path: P,
    ...options: ApiArguments<ApiRequest<M, P, Given>>
  ) => Promise<ApiData<M, P>>;
};

/** The options are optional if none of them is required. */
type ApiArguments<T> = ApiNothing extends T ? [options?: T] : [options: T];

type ApiHeaders = { readonly [name: string]: string | number | boolean | undefined };

type ApiRequestHeaders<H> = ApiNothing extends H
  ? { headers?: (H & ApiHeaders) | undefined }
  : { headers: H & ApiHeaders };

type ApiResponses<T> = ApiValues<{
  [S in keyof T]: Omit<Response, "json" | "status"> & {
    readonly status: S extends number ? S : number;
    json(): Promise<T[S]>;
  };
}>;

type ApiErrors<T> = ApiValues<{
  [S in keyof T]: ApiError & {
    readonly status: S extends number ? S : Exclude<ApiErrorStatus, keyof T>;
    readonly body: T[S];
    readonly data: T[S] extends { data: infer D } ? D : unknown;
  };
}>;

// biome-ignore format: one line for each class of status codes
type ApiErrorStatus =
  | 304
  | 400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418
  | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451 | 499
  | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511;

function isRecord(value: unknown): value is { [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value such as `..` would address another operation. */
function fillPath(path: string, values: object, rest: string | undefined): string {
  return path.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value: unknown = Object.entries(values).find(([key]) => key === name)?.[1];
    const text = value === undefined || value === null ? "" : String(value);
    const segments = name === rest ? text.split("/") : [text];
    if ((text === "" && name !== rest) || segments.some((segment) => segment === "." || segment === ".."))
      throw new TypeError(`Invalid value of {${name}} in ${path}: ${JSON.stringify(text)}`);
    return segments.map((segment) => encodeURIComponent(segment)).join("/");
  });
}

/** An array becomes several fields with the same name. */
function addFields<T extends FormData | URLSearchParams>(target: T, fields: object): T {
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    for (const each of (Array.isArray(value) ? value : [value]) as unknown[]) {
      if (each === undefined || each === null) continue;
      if (each instanceof Blob && target instanceof FormData) target.append(name, each);
      else target.append(name, typeof each === "object" ? JSON.stringify(each) : String(each));
    }
  }
  return target;
}

function setHeaders(headers: Headers, values: object): void {
  for (const [name, value] of Object.entries(values) as [string, unknown][])
    if (value !== undefined) headers.set(name, String(value));
}

async function addCredentials(
  names: readonly string[],
  auth: ApiCredentials,
  headers: Headers,
  query: URLSearchParams,
): Promise<void> {
  const credentials = auth as {
    readonly [name: string]: ApiCredential<string | { username: string; password: string }>;
  };
  for (const name of names) {
    const credential = credentials[name];
    const value = typeof credential === "function" ? await credential() : credential;
    if (value === undefined || value === "") continue;
    const { header, query: parameter, prefix = "" } = securitySchemes[name] ?? {};
    const text =
      prefix + (typeof value === "string" ? value : toBase64(`${value.username}:${value.password}`));
    if (header !== undefined) headers.set(header, text);
    if (parameter !== undefined) query.set(parameter, text);
  }
}

function toBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}

/** `fetch` sets the content type of forms. */
function writeBody(
  body: unknown,
  headers: Headers,
  type: string = "application/json",
): NonNullable<RequestInit["body"]> {
  if (type === "multipart/form-data")
    return body instanceof FormData ? body : addFields(new FormData(), body as object);
  if (type === "application/x-www-form-urlencoded")
    return body instanceof URLSearchParams ? body : addFields(new URLSearchParams(), body as object);
  if (!type.includes("*")) headers.set("content-type", type);
  return isJsonType(type) ? JSON.stringify(body) : (body as NonNullable<RequestInit["body"]>);
}

function isJsonType(type: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(type);
}

async function readJson(response: Response, operation: string): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    const type = response.headers.get("content-type") ?? "no content type";
    throw new TypeError(`Expected JSON from ${operation}, got ${type}`);
  }
}

async function readByType(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (isJsonType(type)) return readJson(response, response.url);
  if (response.status === 204 || response.status === 205) return undefined;
  if (/^text\/event-stream\b/i.test(type)) return readEvents(response.body);
  if (/^application\/(x-ndjson|json-seq)\b/i.test(type)) return response.body;
  return /^text\//i.test(type) ? response.text() : response.blob();
}

async function readErrorBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return isJsonType(response.headers.get("content-type") ?? "") ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

/** Ends when the stream ends. Leaving the loop closes the connection. */
async function* readEvents(
  stream: ReadableStream<Uint8Array> | null,
): AsyncGenerator<ApiEvent, void, undefined> {
  if (stream === null) return;
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let event = "";
  let data: string[] = [];
  let id = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // The second half of a line break may be in the next chunk.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield { event: event || "message", data: data.join("\n"), id };
          event = "";
          data = [];
          continue;
        }
        const [, field, text = ""] = /^([^:]*)(?::[ ]?([\s\S]*))?$/.exec(line) ?? [];
        if (field === "data") data.push(text);
        else if (field === "event") event = text;
        else if (field === "id" && !text.includes("\0")) id = text;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
