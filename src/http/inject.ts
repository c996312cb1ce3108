import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type Server,
} from "node:http";
import { duplexPair, type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

export interface InjectRequest {
  /** Default GET. */
  method?: string;
  /** The path with its query: `/api/todos?page=2`. */
  url: string;
  headers?: OutgoingHttpHeaders;
  /** Text, bytes and streams are sent as they are; FormData as multipart; anything else as JSON. */
  body?: unknown;
  /** The address that the request seems to come from. Default 127.0.0.1. */
  remoteAddress?: string;
}

export interface InjectResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
  readonly body: string;
  json<T = unknown>(): T;
}

/**
 * Sends a request to the server through a pair of streams in memory. It takes the same way as one from the network,
 * parser and all, so a test that passes here says something about the real thing.
 */
export async function inject(server: Server, options: InjectRequest): Promise<InjectResponse> {
  const { method = "GET", url, remoteAddress = "127.0.0.1" } = options;
  const { headers, payload } = await encodeBody(options);
  const [client, far] = duplexPair();
  // Before version 24, Node leaves one end waiting when the other is cut off.
  far.once("close", () => far.writableFinished || client.destroy());
  server.emit("connection", Object.assign(far, { remoteAddress }));
  const response = await new Promise<import("node:http").IncomingMessage>((resolve, reject) => {
    const outgoing = httpRequest({
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
  return { status, headers, bytes, body, json: <T>() => JSON.parse(body) as T };
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
