import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Client, type FinishedRequest } from "../../http/index.ts";
import { createTraceId } from "../../lib/ids.ts";
import { defaultRedactor } from "../../lib/redaction/redactor.ts";
import { createRequestSample, type RequestSample } from "./output/request-sample.ts";
import { type Destination, Sink } from "./output/sink.ts";
import { createRequestRecord } from "./request-record.ts";

const finished: FinishedRequest = {
  traceId: "abcdefghijklmnopqr",
  traceparent: undefined,
  method: "GET",
  path: "/api/todos",
  route: undefined,
  statusCode: 200,
  startedAt: 0,
  durationMs: 12.34,
  client: new Client("127.0.0.1", "curl/8"),
  contentLength: 0,
  bytesSent: 10,
  aborted: false,
  contentType: undefined,
  host: "127.0.0.1",
  requestHeader: () => undefined,
  rawHeaders: [],
};

const record = (...requests: Partial<FinishedRequest>[]) => recordSampled(undefined, ...requests);

async function recordSampled(
  sample: RequestSample | undefined,
  ...requests: Partial<FinishedRequest>[]
): Promise<{ raw: string; lines: Record<string, unknown>[] }> {
  const written: Buffer[] = [];
  const destination: Destination = {
    write(bytes, release) {
      written.push(Buffer.from(bytes));
      release();
    },
    writeSync() {},
    flush: async () => {},
    close: async () => {},
  };
  const sink = new Sink({ destination });
  const write = createRequestRecord(sink, defaultRedactor, sample);
  for (const request of requests) write({ ...finished, ...request });
  await sink.flush();
  const raw = Buffer.concat(written).toString("latin1");
  return {
    raw,
    lines: raw
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)),
  };
}

describe("the http_request record", () => {
  it("has a path that was cut before it was redacted", async () => {
    const lengths: number[] = [];
    const path = (text: string) => {
      lengths.push(text.length);
      return text;
    };
    const written: string[] = [];
    const destination: Destination = {
      write(bytes, release) {
        written.push(bytes.toString());
        release();
      },
      writeSync() {},
      flush: async () => {},
      close: async () => {},
    };
    const sink = new Sink({ destination });
    createRequestRecord(sink, { ...defaultRedactor, path })({ ...finished, path: `/${"x".repeat(16_000)}` });
    await sink.flush();
    assert.deepEqual(lengths, [8_193]);
    assert.match(JSON.parse(written.join("")).path, /^\/x{8191}…$/);
  });

  it("has exactly the contract's fields", async () => {
    const before = Date.now();
    const { lines } = await record({});
    const { time, request_rate, ...rest } = lines[0]!;
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const at = Date.parse(String(time));
    assert.ok(at >= before && at <= Date.now());
    assert.equal(typeof request_rate, "number");
    assert.deepEqual(rest, {
      level: "DEBUG",
      msg: "Request processed",
      event: "http_request",
      group: "request",
      trace_id: "abcdefghijklmnopqr",
      method: "GET",
      path: "/api/todos",
      status: "200 OK",
      duration: "12.34ms",
      ip: "127.0.0.1",
      user_agent: "curl/8",
      content_length: 0,
    });
  });

  it("contains the values of each request, even if segments are reused", async () => {
    const client = new Client("::1", "one");
    const { lines } = await record(
      { client, statusCode: 404, durationMs: 0.85, contentLength: 7 },
      { client, statusCode: 201, durationMs: 1200, method: "POST", path: "/b" },
      { client: new Client("::1", "two"), statusCode: 404 },
    );
    assert.deepEqual(
      lines.map(({ status, duration, method, path, user_agent, content_length }) => [
        status,
        duration,
        method,
        path,
        user_agent,
        content_length,
      ]),
      [
        ["404 Not Found", "850µs", "GET", "/api/todos", "one", 7],
        ["201 Created", "1.20s", "POST", "/b", "one", 0],
        ["404 Not Found", "12.34ms", "GET", "/api/todos", "two", 0],
      ],
    );
  });

  it("shows that a client disconnected before the response", async () => {
    const { lines } = await record({ statusCode: 499, aborted: true });
    assert.equal(lines[0]!.status, "499 Client Closed Request");
  });

  it("keeps a caller's trace context beside the trace ID", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const { lines } = await record({ traceparent });
    assert.equal(lines[0]!.traceparent, traceparent);
  });

  it("stays one line of ASCII and valid JSON, whatever a client sends", async () => {
    const hostile = '"},\n\u0000\u001b[31m\\ \u00fc\u2028\ud83d\ude00';
    const { raw, lines } = await record({
      path: hostile,
      client: new Client(hostile, hostile),
      method: hostile,
    });
    assert.equal(lines.length, 1);
    assert.match(raw, /^[\x20-\x7e]*\n$/);
    assert.equal(lines[0]!.path, hostile);
    assert.equal(lines[0]!.user_agent, hostile);
    assert.equal(lines[0]!.method, hostile);
  });

  it("cuts a path that is longer than anyone reads", async () => {
    const path = "/\u00fc".repeat(60_000);
    const { lines } = await record({}, { path, client: new Client("::1", path) }, {});
    assert.deepEqual(
      lines.map((line) => String(line.path).length),
      [10, 8_193, 10],
    );
    assert.ok(String(lines[1]!.user_agent).endsWith("/\u00fc…"));
  });
});

describe("a sample of the requests", () => {
  const many = (count: number, request: Partial<FinishedRequest> = {}) =>
    Array.from({ length: count }, () => ({ ...request, traceId: createTraceId() }));

  it("has the given share of successful, fast requests, and says so in each", async () => {
    const { lines } = await recordSampled(createRequestSample(0.1, 1_000), ...many(20_000));
    assert.ok(lines.length > 1_700 && lines.length < 2_300, `${lines.length} of 20000`);
    assert.ok(lines.every(({ sample, request_rate }) => sample === 0.1 && typeof request_rate === "number"));
  });

  it("has all requests that failed, were slow or logged a problem, without a share", async () => {
    const sample = createRequestSample(0.0001, 1_000);
    const warned = createTraceId();
    sample.noteProblem(warned);
    const { lines } = await recordSampled(
      sample,
      ...many(50, { statusCode: 404 }),
      ...many(50, { statusCode: 503 }),
      ...many(50, { durationMs: 1_000 }),
      { traceId: warned },
    );
    assert.equal(lines.length, 151);
    assert.ok(lines.every((line) => !("sample" in line)));
  });

  it("has the same requests on each instance, and more if the share is raised", async () => {
    const requests = many(500);
    const tracesOf = async (share: number) =>
      (await recordSampled(createRequestSample(share, 1_000), ...requests)).lines.map(
        ({ trace_id }) => trace_id,
      );
    const half = await tracesOf(0.5);
    assert.deepEqual(await tracesOf(0.5), half);
    const most = new Set(await tracesOf(0.8));
    assert.ok(half.every((trace) => most.has(trace)));
  });

  it("changes with the share at any time", async () => {
    const sample = createRequestSample(1, 1_000);
    const requests = many(2_000);
    const counts: number[] = [];
    for (const share of [1, 0.25, 1]) {
      sample.share = share;
      counts.push((await recordSampled(sample, ...requests)).lines.length);
    }
    assert.deepEqual([counts[0], counts[2]], [2_000, 2_000]);
    assert.ok(counts[1]! > 350 && counts[1]! < 650, `${counts[1]} of 2000`);
  });
});
