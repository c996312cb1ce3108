import { markAutomatic } from "./activity.ts";
import {
  type Action,
  type Actions,
  type Params,
  type Route,
  type Routes,
  urlOf,
  type Values,
  type WithParams,
} from "./routes.ts";
import { isSignedOut, signIn } from "./session.ts";

/** An error response of the server. */
export class HttpError extends Error {
  readonly status: number;
  /** Validation errors by field. */
  readonly fields: Readonly<Record<string, { code: string; message: string }>>;
  readonly traceId: string | undefined;

  constructor(status: number, body: { message?: string; data?: object; trace_id?: string }) {
    super(body.message ?? `The server returned ${status}.`);
    this.status = status;
    this.fields = (body.data ?? {}) as HttpError["fields"];
    this.traceId = body.trace_id;
  }
}

/** The server could not be reached. */
export class ConnectionError extends Error {
  constructor() {
    super("The server cannot be reached.");
  }
}

/**
 * Reads a route. The type of the response follows from the route.
 *
 *     const job = await get("/_/_/data/cron/jobs/{id}", { id });
 */
export function get<R extends Route>(
  route: R,
  ...[params, signal]: WithParams<R, [signal?: AbortSignal]>
): Promise<Routes[R]> {
  return read(route, params, signal);
}

/** Like `get`, for hooks whose own arguments ensure that a path has its values. */
export function read<R extends Route>(
  route: R,
  params: Params | undefined,
  signal?: AbortSignal,
): Promise<Routes[R]> {
  return request(urlOf(route, params), { ...(signal && { signal }) });
}

/** Sends a request that changes something. `values` are the names in the path; `body` is sent as JSON. */
export function send<A extends Action>(action: A, values: Values<A>, body?: object): Promise<Actions[A]> {
  const [method, path] = action.split(" ") as [string, string];
  const json = body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return request(urlOf(path, values), { method, ...json });
}

async function request<T>(url: string, init: RequestInit): Promise<T> {
  // After the session has expired, the server would refuse every request and write each one to the access log.
  if (isSignedOut.peek()) await signIn();
  const headers = new Headers(init.headers);
  markAutomatic(headers);
  const response = await fetch(url, { ...init, headers }).catch((error: unknown) => {
    throw (error as Error).name === "AbortError" ? error : new ConnectionError();
  });
  if (response.status === 401) {
    // The user signs in again on the same page; then the request is repeated.
    await signIn();
    return request(url, init);
  }
  const body = await readBody(response);
  if (!response.ok) throw new HttpError(response.status, body as object);
  return body as T;
}

async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  return response.json().catch((error: Error) => {
    // An aborted request has no response and must not be mistaken for an empty one.
    if (error.name === "AbortError") throw error;
    return {};
  });
}
