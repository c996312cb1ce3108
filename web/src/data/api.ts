import { markAutomatic } from "../state/activity.ts";
import type { Params } from "../state/address.ts";
import { isSignedOut, signIn } from "../state/session.ts";

/** An error response of the server. */
export class Refusal extends Error {
  readonly status: number;
  /** Validation errors by field. */
  readonly fields: Readonly<Record<string, { code: string; message: string }>>;
  readonly traceId: string | undefined;

  constructor(status: number, body: { message?: string; data?: object; trace_id?: string }) {
    super(body.message ?? `The server returned ${status}.`);
    this.status = status;
    this.fields = (body.data ?? {}) as Refusal["fields"];
    this.traceId = body.trace_id;
  }
}

/** The server could not be reached. */
export class Unreachable extends Error {
  constructor() {
    super("The server cannot be reached.");
  }
}

/** Returns the URL of a data route with its parameters; undefined ones are omitted. */
export function addressOf(path: string, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) query.append(name, String(value));
  const text = query.toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
}

export function get<T>(path: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
  return ask<T>(addressOf(path, params), { ...(signal && { signal }) });
}

/** Sends a request that changes something. `body` is sent as JSON. */
export function send<T>(
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: object,
): Promise<T> {
  const json = body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return ask<T>(path, { method, ...json });
}

async function ask<T>(address: string, init: RequestInit): Promise<T> {
  // After the session has expired, the server would refuse every request and write each one to the access log.
  if (isSignedOut.peek()) await signIn();
  const headers = new Headers(init.headers);
  markAutomatic(headers);
  const answer = await fetch(address, { ...init, headers }).catch((error: unknown) => {
    throw (error as Error).name === "AbortError" ? error : new Unreachable();
  });
  if (answer.status === 401) {
    // The user signs in again on the same page; then the request is repeated.
    await signIn();
    return ask<T>(address, init);
  }
  const body = await readBody(answer);
  if (!answer.ok) throw new Refusal(answer.status, body as object);
  return body as T;
}

async function readBody(answer: Response): Promise<unknown> {
  if (answer.status === 204) return undefined;
  return answer.json().catch((error: Error) => {
    // An aborted request has no response and must not be mistaken for an empty one.
    if (error.name === "AbortError") throw error;
    return {};
  });
}
