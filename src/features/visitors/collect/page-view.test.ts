import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Client, type FinishedRequest } from "../../../http/index.ts";
import { defaultRedactor } from "../../../lib/redaction/redactor.ts";
import { longestPath } from "../names.ts";
import { toPageView } from "./page-view.ts";

function createRequest(path: string): FinishedRequest {
  return {
    traceId: "abcdefghijklmnopqr",
    traceparent: undefined,
    method: "GET",
    path,
    route: undefined,
    statusCode: 200,
    startedAt: 0,
    durationMs: 1,
    client: new Client("127.0.0.1", "curl/8"),
    contentLength: 0,
    bytesSent: 10,
    aborted: false,
    contentType: "text/html",
    host: "127.0.0.1",
    requestHeader: () => undefined,
    rawHeaders: [],
  };
}

describe("the path of a page view", () => {
  it("is cut before it is redacted", () => {
    const lengths: number[] = [];
    const path = (text: string) => {
      lengths.push(text.length);
      return text;
    };
    const view = toPageView(createRequest(`/${"x".repeat(16_000)}`), 0, { ...defaultRedactor, path });
    assert.deepEqual(lengths, [2 * longestPath]);
    assert.equal(view.path.length, longestPath);
  });

  it("has no part of a credential that exceeds the limit", () => {
    const start = `/${"x".repeat(longestPath - 40)}`;
    const { path } = toPageView(createRequest(`${start}/https%3A%2F%2Fada%3A${"secret".repeat(20)}%40h`), 0);
    assert.equal(path, `${start}/https%3A%2F%2F[redacted]%40h`);
  });
});
