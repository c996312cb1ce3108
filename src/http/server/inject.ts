import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, Server } from "node:http";
import { Server as SecureServer } from "node:https";
import stream, { type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { http } from "../../lib/node/http.ts";

/** A request for `app.inject`. */
export interface InjectRequest {
  /** Default "GET". */
  method?: string;
  /** The path and query, such as `/api/todos?page=2`. */
  url: string;
  /** The request headers. */
  headers?: OutgoingHttpHeaders;
  /** Strings, bytes and streams are sent unchanged, `FormData` as multipart and other values as JSON. */
  body?: unknown;
  /** The address of the simulated client. Default "127.0.0.1". */
  remoteAddress?: string;
}

/** A response from `app.inject`. */
export interface InjectResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The response headers. */
  readonly headers: IncomingHttpHeaders;
  /** The body as bytes. */
  readonly bytes: Uint8Array;
  /** The body as text. */
  readonly body: string;
  /** Returns the body as text, like `body`. */
  text(): string;
  /** Parses the body as JSON. */
  json<T = unknown>(): T;
}

/**
 * Sends a request to the server through a pair of in-memory streams. It is parsed and handled like a request from the
 * network, so tests exercise the real code path.
 */
export async function inject(server: Server, options: InjectRequest): Promise<InjectResponse> {
  const { method = "GET", url, remoteAddress = "127.0.0.1" } = options;
  const { headers, payload } = await encodeBody(options);
  const [client, far] = stream.duplexPair();
  // Before version 24, Node does not close one end when the other is destroyed.
  far.once("close", () => far.writableFinished || client.destroy());
  if (server instanceof SecureServer)
    server.emit("secureConnection", Object.assign(far, { remoteAddress, encrypted: true }));
  else server.emit("connection", Object.assign(far, { remoteAddress }));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = http.request({
      method,
      path: url,
      headers: { host: "127.0.0.1", connection: "close", ...headers },
      createConnection: () => client,
    });
    outgoing.on("response", resolve).on("error", reject);
    if (isStream(payload)) payload.on("error", (error) => outgoing.destroy(error)).pipe(outgoing);
    else outgoing.end(payload);
  });
  const bytes = await buffer(response);
  client.destroy();
  return describeResponse(response.statusCode!, response.headers, bytes);
}

function describeResponse(status: number, headers: IncomingHttpHeaders, bytes: Buffer): InjectResponse {
  const body = bytes.toString();
  return { status, headers, bytes, body, text: () => body, json: <T>() => JSON.parse(body) as T };
}

async function encodeBody({ headers = {}, body }: InjectRequest): Promise<{
  headers: OutgoingHttpHeaders;
  payload?: string | Uint8Array | Readable;
}> {
  if (body === undefined) return { headers };
  if (typeof body === "string" || body instanceof Uint8Array) {
    return { headers: { "content-length": Buffer.byteLength(body), ...headers }, payload: body };
  }
  if (isStream(body)) return { headers, payload: body };
  if (body instanceof FormData || body instanceof URLSearchParams) {
    const encoded = new Response(body);
    const payload = Buffer.from(await encoded.arrayBuffer());
    const type = encoded.headers.get("content-type")!;
    return { headers: { "content-type": type, "content-length": payload.length, ...headers }, payload };
  }
  const payload = JSON.stringify(body);
  const length = Buffer.byteLength(payload);
  return { headers: { "content-type": "application/json", "content-length": length, ...headers }, payload };
}

function isStream(value: unknown): value is Readable {
  return typeof value === "object" && value !== null && "pipe" in value;
}
