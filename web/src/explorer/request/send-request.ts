import type { Credential } from "../auth/schemes.ts";
import type { Body, PreparedRequest } from "../draft/draft.ts";
import { withCookies } from "./cookies.ts";

/** Sends a request from the browser and reads the response. */

export interface ReceivedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Why the body is incomplete, if it is. */
  readonly note?: string;
  /** The final URL after redirects, if there were any. */
  readonly redirectedTo?: string;
  readonly traceId?: string;
}

/** Who sends a request. */
export interface Identity {
  readonly credentials: readonly Credential[];
  /** Whether the browser sends its cookies. */
  readonly sendsCookies: boolean;
}

export interface Sending {
  readonly request: PreparedRequest;
  /** What comes before the path of the request. */
  readonly origin: string;
  readonly identity: Identity;
  readonly signal: AbortSignal;
}

const mostBytes = 20_000_000;

export async function sendRequest(sending: Sending): Promise<ReceivedResponse> {
  const { request, identity, signal } = sending;
  const started = performance.now();
  const url = urlOf(sending);
  const init: RequestInit = {
    method: request.method,
    headers: headersOf(sending),
    body: request.body ? toInit(request.body) : null,
    credentials: identity.sendsCookies ? "same-origin" : "omit",
    cache: "no-store",
    signal,
  };
  const response = await withCookies(cookiesOf(sending, url), url, () => ask(url, init));
  const { body, note } = await readBody(response, signal);
  const traceId = response.headers.get("x-trace-id");
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds: performance.now() - started,
    headers: [...response.headers],
    type: response.headers.get("content-type") ?? "",
    body,
    ...(note !== undefined && { note }),
    ...(response.redirected && { redirectedTo: response.url }),
    ...(traceId !== null && { traceId }),
  };
}

function urlOf({ request, origin, identity }: Sending): string {
  const url = new URL(origin + request.address, window.location.href);
  for (const { in: place, name, prefix, secret } of identity.credentials) {
    if (place === "query") url.searchParams.append(name, prefix + secret);
  }
  return url.href;
}

/** Other sites get no cookies from this page. */
function cookiesOf({ request, identity }: Sending, url: string): (readonly [string, string])[] {
  if (!identity.sendsCookies || new URL(url).origin !== window.location.origin) return [];
  const credentials = identity.credentials.filter((each) => each.in === "cookie");
  return [
    ...credentials.map(({ name, prefix, secret }) => [name, prefix + secret] as const),
    ...request.cookies,
  ];
}

function headersOf({ request, identity }: Sending): Headers {
  try {
    const headers = new Headers();
    for (const { in: place, name, prefix, secret } of identity.credentials) {
      if (place === "header") headers.set(name, prefix + secret);
    }
    for (const [name, value] of request.headers) headers.set(name, value);
    return headers;
  } catch {
    throw new Error("A header contains invalid characters.");
  }
}

async function ask(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch {
    if (init.signal?.aborted) throw new Error("Stopped before a response arrived.");
    throw new Error(
      "No response: the server cannot be reached, closed the connection, or redirected to another site, which the browser blocks.",
    );
  }
}

function toInit(body: Body): BodyInit {
  if (body.kind === "text") return body.text;
  if (body.kind === "file") return body.file;
  const data = body.kind === "form" ? new URLSearchParams() : new FormData();
  // A URL-encoded form cannot contain files, so there are none.
  for (const [name, value] of body.fields) data.append(name, value as string);
  return data;
}

/** If the user stops the request, the body received so far is kept. That allows inspecting endless streams. */
async function readBody(
  response: Response,
  signal: AbortSignal,
): Promise<{ body: Uint8Array<ArrayBuffer>; note?: string }> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let note: string | undefined;
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader!.read()) {
      chunks.push(next.value);
      size += next.value.length;
      if (size <= mostBytes) continue;
      note = "The response is larger than 20 MB; the rest was not read.";
      await reader!.cancel();
      break;
    }
  } catch {
    note = signal.aborted
      ? "Stopped; this is the part that was received."
      : "The connection was lost; this is the part that was received.";
  }
  const body = new Uint8Array(await new Blob(chunks).arrayBuffer());
  return { body, ...(note !== undefined && { note }) };
}
