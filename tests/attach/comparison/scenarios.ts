/** The requests of the comparison. */
import { type ErrorKind, errorKinds, type Failure, moments, ways } from "./failures.ts";
import { responses } from "./responses.ts";

export interface Scenario {
  readonly name: string;
  /** What the client sends. */
  readonly request: string;
  /** How the handler fails. */
  readonly failure?: Failure;
  /** When the client closes the connection, without waiting for the response. */
  readonly leaves?: "after the request" | "after the first byte";
}

/** What every framework sends with functions of its own. */
export const nativeNames = [
  "json",
  "text",
  "buffer",
  "empty",
  "stream",
  "html",
  "redirect",
  "missing",
  "cookie",
] as const;
export type NativeName = (typeof nativeNames)[number];

/** How a handler sends a body that does not end. */
export const downloads = ["pipe", "pipeline", "body"] as const;
export type Download = (typeof downloads)[number];

function head(line: string, ...headers: string[]): string {
  return `${[line, "Host: localhost", ...headers].join("\r\n")}\r\n\r\n`;
}

/** Every response is requested in these ways. */
const forms: Record<string, (path: string) => string> = {
  GET: (path) => head(`GET ${path} HTTP/1.1`),
  HEAD: (path) => head(`HEAD ${path} HTTP/1.1`),
  "GET with gzip": (path) => head(`GET ${path} HTTP/1.1`, "Accept-Encoding: gzip"),
  "GET that closes": (path) => head(`GET ${path} HTTP/1.1`, "Connection: close"),
  "GET of HTTP/1.0": (path) => head(`GET ${path} HTTP/1.0`),
};

function listResponses(): Scenario[] {
  const paths = [
    ...Object.keys(responses).map((name) => [name, respondWith(name)] as const),
    ...nativeNames.map((name) => [`native ${name}`, `/native/${name}`] as const),
  ];
  return paths.flatMap(([name, path]) =>
    Object.entries(forms).map(([form, request]) => ({ name: `${form} ${name}`, request: request(path) })),
  );
}

function respondWith(name: string): string {
  return `/respond/${Object.keys(responses).indexOf(name)}`;
}

function listFailures(errors: readonly ErrorKind[]): Scenario[] {
  return moments.flatMap((moment) =>
    ways.flatMap((way) =>
      errors.map((error) => ({
        name: `${way} ${moment}: ${error}`,
        request: head(`GET ${pathOf({ moment, way, error })} HTTP/1.1`),
        failure: { moment, way, error },
      })),
    ),
  );
}

function pathOf({ moment, way, error }: Failure): string {
  return `/fail/${moments.indexOf(moment)}/${ways.indexOf(way)}/${errorKinds.indexOf(error)}`;
}

/** The failure that a path asks for. */
export function failureOf(moment: string, way: string, error: string): Failure {
  return { moment: moments[Number(moment)]!, way: ways[Number(way)]!, error: errorKinds[Number(error)]! };
}

function post(path: string, type: string, body: string, ...headers: string[]): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return head(`POST ${path} HTTP/1.1`, `Content-Type: ${type}`, length, ...headers) + body;
}

const boundary = "b0undary";

function upload(field: string, content: string): string {
  const body = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${field}"; filename="a.txt"`,
    "Content-Type: text/plain",
    "",
    content,
    `--${boundary}--`,
    "",
  ].join("\r\n");
  return post("/upload", `multipart/form-data; boundary=${boundary}`, body);
}

const json = "application/json";

function upgrade(path: string, protocol: string): string {
  return head(
    `GET ${path} HTTP/1.1`,
    "Connection: Upgrade",
    `Upgrade: ${protocol}`,
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  );
}

const requests: Record<string, string> = {
  "an unknown path": head("GET /unknown HTTP/1.1"),
  "an unknown path of HTTP/1.0": head("GET /unknown HTTP/1.0"),
  "HEAD of an unknown path": head("HEAD /unknown HTTP/1.1"),
  "an unknown method of a route": head("DELETE /native/json HTTP/1.1"),
  "OPTIONS of a route": head("OPTIONS /native/json HTTP/1.1"),
  "OPTIONS of the server": head("OPTIONS * HTTP/1.1"),
  "an invalid path": head("GET /%ff HTTP/1.1"),
  "an absolute URL": head("GET http://other/native/json HTTP/1.1"),
  "a query": head("GET /native/json?a=1&a=2 HTTP/1.1"),
  "a trailing slash": head("GET /native/json/ HTTP/1.1"),
  "an entity tag": head("GET /native/json HTTP/1.1", "If-None-Match: *"),
  "an unknown expectation": head("GET /native/json HTTP/1.1", "Expect: coffee"),
  "a body": post("/echo", json, '{"a":1}'),
  "a body after 100 Continue": post("/echo", json, '{"a":1}', "Expect: 100-continue"),
  "a body in chunks": `${head("POST /echo HTTP/1.1", `Content-Type: ${json}`, "Transfer-Encoding: chunked")}7\r\n{"a":1}\r\n0\r\n\r\n`,
  "an empty body": post("/echo", json, ""),
  "a body that is not JSON": post("/echo", json, "{"),
  "a body that is too large": post("/echo", json, `"${"x".repeat(300)}"`),
  "a body of an unknown type": post("/echo", "text/unknown", "text"),
  "a body of an unknown charset": post("/echo", `${json}; charset=unknown`, "{}"),
  "a body for a route without one": post("/native/json", json, "{}"),
  "an upload": upload("file", "content"),
  "an upload of an unknown field": upload("other", "content"),
  "an upload that is too large": upload("file", "x".repeat(300)),
  "an upload that is not one": post("/upload", `multipart/form-data; boundary=${boundary}`, "nothing"),
  "a handshake of socket.io": head("GET /socket.io/?EIO=4&transport=polling HTTP/1.1"),
  "a handshake of socket.io with gzip": head(
    "GET /socket.io/?EIO=4&transport=polling HTTP/1.1",
    "Accept-Encoding: gzip",
  ),
  "an unknown transport of socket.io": head("GET /socket.io/?EIO=4&transport=unknown HTTP/1.1"),
  "an upgrade to a WebSocket": upgrade("/native/json", "websocket"),
  "an upgrade to a WebSocket of an unknown path": upgrade("/unknown", "websocket"),
  "an upgrade to HTTP/2": upgrade("/native/json", "h2c"),
  "an upgrade to a WebSocket of socket.io": upgrade("/socket.io/?EIO=4&transport=websocket", "websocket"),
  "an upgrade of socket.io for an unknown session": upgrade(
    "/socket.io/?EIO=4&transport=websocket&sid=unknown",
    "websocket",
  ),
  "two requests at once": head("GET /native/json HTTP/1.1") + head("GET /unknown HTTP/1.1"),
  "a response that is destroyed before another request":
    head(`GET ${respondWith("a response that is destroyed")} HTTP/1.1`) + head("GET /native/json HTTP/1.1"),
  "a tunnel": head("CONNECT other:443 HTTP/1.1"),
  "an unusual method": head("PROPFIND /native/json HTTP/1.1"),
  "a request without a host": "GET /native/json HTTP/1.1\r\n\r\n",
  "a head that is too large": head("GET /native/json HTTP/1.1", `X-Large: ${"x".repeat(20_000)}`),
  "a length that is not a number": head("POST /echo HTTP/1.1", "Content-Length: x"),
  "an unknown session of socket.io": head("GET /socket.io/?EIO=4&transport=polling&sid=unknown HTTP/1.1"),
};

function listDepartures(): Scenario[] {
  const half = (request: string) => request.slice(0, -5);
  return [
    ...downloads.map(
      (download): Scenario => ({
        name: `a client that aborts a download by ${download}`,
        request: head(`GET /download/${download} HTTP/1.1`),
        leaves: "after the first byte",
      }),
    ),
    {
      name: "a client that aborts a body",
      request: half(post("/echo", json, '{"a":1}')),
      leaves: "after the request",
    },
    {
      name: "a client that aborts an upload",
      request: half(upload("file", "content")),
      leaves: "after the request",
    },
    {
      name: "a client that leaves before the response",
      request: head("GET /native/never HTTP/1.1"),
      leaves: "after the request",
    },
  ];
}

/** With libraries, fewer errors are tried. */
const errorsWithLibraries: readonly ErrorKind[] = ["plain", "not found", "null"];

export function listScenarios(isFull: boolean): Scenario[] {
  return [
    ...listResponses(),
    ...Object.entries(requests).map(([name, request]) => ({ name, request })),
    ...listFailures(isFull ? errorsWithLibraries : errorKinds),
    ...listDepartures(),
  ];
}

/** What the client sends after a request, to see whether the connection is still open. */
export const followUp = head("GET /ok HTTP/1.1", "Connection: close");
