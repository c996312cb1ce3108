import type { Body, PreparedRequest } from "./draft.ts";

/** Sends a request from the browser, and reads what comes back. */

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Why there is no more of the body, if it was not read to its end. */
  readonly note?: string;
  /** Where it led to, if it led elsewhere. */
  readonly redirectedTo?: string;
  readonly traceId?: string;
}

export interface Sending {
  readonly request: PreparedRequest;
  readonly origin: string;
  /** Whether the browser's session goes along. */
  readonly withSession: boolean;
  readonly token?: string | undefined;
  readonly signal: AbortSignal;
}

const mostBytes = 20_000_000;

export async function sendRequest(sending: Sending): Promise<Answer> {
  const { request, origin, withSession, signal } = sending;
  const started = performance.now();
  const response = await ask(origin + request.address, {
    method: request.method,
    headers: headersOf(sending),
    body: request.body ? toInit(request.body) : null,
    credentials: withSession ? "same-origin" : "omit",
    cache: "no-store",
    signal,
  });
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

function headersOf({ request, token }: Sending): Headers {
  try {
    const headers = new Headers(token ? { Authorization: `Bearer ${token}` } : {});
    for (const [name, value] of request.headers) headers.set(name, value);
    return headers;
  } catch {
    throw new Error("A header has characters that no header may have.");
  }
}

async function ask(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch {
    if (init.signal?.aborted) throw new Error("Stopped before there was an answer.");
    throw new Error(
      "There was no answer: the server cannot be reached, closed the connection, or led to another site, where this page may not follow.",
    );
  }
}

function toInit(body: Body): BodyInit {
  if (body.kind === "text") return body.text;
  if (body.kind === "file") return body.file;
  const data = body.kind === "form" ? new URLSearchParams() : new FormData();
  // A form without parts has no place for a file, and none is asked for.
  for (const [name, value] of body.fields) data.append(name, value as string);
  return data;
}

/** Keeps what had come when somebody stops it, which is how one looks at a stream without end. */
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
      note = "The answer is larger than 20 MB; the rest was not read.";
      await reader!.cancel();
      break;
    }
  } catch {
    note = signal.aborted
      ? "Stopped; this is what had come by then."
      : "The connection broke; this is what had come by then.";
  }
  const body = new Uint8Array(await new Blob(chunks).arrayBuffer());
  return { body, ...(note !== undefined && { note }) };
}
