import { createBody } from "./bodies.ts";
import type { Random } from "./random.ts";
import { fieldName, mutate, text } from "./values.ts";

/** A route of the program under test. */
export interface Target {
  readonly method: string;
  /** Such as `/api/v1/todos/{id}`. */
  readonly pattern: string;
}

export interface FuzzRequest {
  readonly bytes: Buffer;
  /** For a report. */
  readonly title: string;
  /** Whether it follows the protocol and is complete, so that the server owes it a response. */
  readonly isWellFormed: boolean;
  /** For how long it does not read an event stream. */
  readonly lingersMs: number;
}

/** The header lines that each kind of caller sends: no credentials, a superuser's, an application user's. */
export type Credentials = readonly (readonly string[])[];

const brokenCredentials = [
  ["Authorization: Bearer nonsense"],
  ["Authorization: Basic YTpi"],
  ["Cookie: annex_session_80=x; ="],
] as const;

const accepts = ["*/*", "text/html", "application/json", "text/event-stream", "x", "*/*;q=0"] as const;

/** One request to the route, with values of every kind in its path, query, headers and body. */
export function createRequest(random: Random, target: Target, credentials: Credentials): FuzzRequest {
  const method = random.chance(0.9)
    ? target.method
    : random.pick(["GET", "HEAD", "OPTIONS", "POST", "TRACE"]);
  const path = createPath(random, target.pattern) + createQuery(random);
  const hasBody = method !== "HEAD" && (random.chance(0.7) || method === "POST") && method !== "GET";
  const body = hasBody ? createBody(random) : undefined;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Connection: close",
    // An address of its own, so that limits on failed sign-ins do not hide the code behind them.
    `X-Forwarded-For: 198.18.${random.below(256)}.${random.below(256)}`,
    ...random.pick(random.chance(0.9) ? credentials : brokenCredentials),
    ...createHeaders(random),
    ...(body ? body.headers : []),
    ...(body ? framing(random, body.bytes) : []),
  ];
  const isChunked = lines.includes("Transfer-Encoding: chunked");
  const payload = body === undefined ? Buffer.alloc(0) : isChunked ? chunked(random, body.bytes) : body.bytes;
  const bytes = Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), payload]);
  const isBroken = random.chance(0.02) || isShort(lines, payload);
  return {
    bytes: isBroken && random.chance(0.5) ? mutate(random, bytes) : bytes,
    title: `${method} ${path.slice(0, 200)}`,
    isWellFormed: !isBroken,
    lingersMs: random.chance(0.5) ? 0 : random.below(200),
  };
}

function createPath(random: Random, pattern: string): string {
  return pattern.replace(/\{[^}]+\}/g, () => encodePart(random, text(random)) || "x");
}

function createQuery(random: Random): string {
  if (random.chance(0.4)) return "";
  const parts = random.several(
    1,
    4,
    () => `${encodePart(random, fieldName(random))}=${encodePart(random, text(random))}`,
  );
  return `?${parts.join("&")}`;
}

/** Usually encoded; now and then as it is, without the characters that would end the request line. */
function encodePart(random: Random, value: string): string {
  if (random.chance(0.9)) return encodeURIComponent(value.toWellFormed());
  return value.replace(/[^\x21-\x7e]/g, "").replace(/[?#]/g, "");
}

function createHeaders(random: Random): string[] {
  const value = () =>
    text(random)
      .replace(/[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/g, "")
      .slice(0, 500);
  const choices = [
    () => `Accept: ${random.pick(accepts)}`,
    () => `Origin: ${random.pick(["http://127.0.0.1", "http://evil.example", "null"])}`,
    () => `Sec-Fetch-Site: ${random.pick(["same-origin", "cross-site", "none", "x"])}`,
    () => `User-Agent: ${value()}`,
    () => `If-None-Match: ${value()}`,
    () => `Last-Event-ID: ${value()}`,
    () => `Range: bytes=${random.pick(["0-1", "-", "5-2", "0-99999999999"])}`,
    () => `traceparent: ${value()}`,
    () => `Cookie: ${value()}`,
    () => `X-Forwarded-Host: ${value()}`,
    () => `X-${random.below(100)}: ${value()}`,
  ];
  return random.several(0, 4, () => random.pick(choices)());
}

function framing(random: Random, bytes: Buffer): string[] {
  if (random.chance(0.1)) return ["Transfer-Encoding: chunked"];
  const promised = random.chance(0.03) ? bytes.length + 10 : bytes.length;
  return [`Content-Length: ${promised}`];
}

/** Whether the client promises more than it sends. */
function isShort(lines: readonly string[], payload: Buffer): boolean {
  return lines.includes(`Content-Length: ${payload.length + 10}`);
}

function chunked(random: Random, bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const chunk = bytes.subarray(at, at + 1 + random.below(200));
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"));
    at += chunk.length;
  }
  return Buffer.concat([...chunks, Buffer.from("0\r\n\r\n")]);
}
