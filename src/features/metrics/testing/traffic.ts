import { Client, type FinishedRequest, type Route } from "../../../http/index.ts";
import type { SecondRecord } from "../history/slot.ts";
import { RequestCollector } from "../requests/collector.ts";

/** Deterministic pseudorandom numbers. */
export function createRandom(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The same without correlations between successive numbers, for statistics (mulberry32). */
export function createGoodRandom(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Realistic durations: a bell curve around a few milliseconds with a long tail. */
export function createDuration(random: () => number): () => number {
  return () => Math.exp(random() + random() + random()) * (random() < 0.03 ? 60 : 1.5);
}

export function routeNamed(index: number, pattern = `/things/${index}`, method = "GET"): Route {
  return { index, method, pattern: { text: pattern } } as Route;
}

const client = new Client("203.0.113.9", "test/1");

export function finishedRequest(changes: Partial<FinishedRequest> = {}): FinishedRequest {
  return {
    traceId: "abcdefghijklmnopqr",
    traceparent: undefined,
    method: changes.route?.method ?? "GET",
    path: "/things",
    route: undefined,
    statusCode: 200,
    startedAt: 0,
    durationMs: 5,
    client,
    contentLength: 0,
    bytesSent: 100,
    aborted: false,
    contentType: "application/json",
    host: "127.0.0.1",
    requestHeader: () => undefined,
    rawHeaders: [],
    ...changes,
  };
}

/** The record of a process for a second with these requests. */
export function secondOf(
  time: number,
  requests: readonly FinishedRequest[],
  system: Record<string, number> = {},
): SecondRecord {
  const collector = new RequestCollector();
  for (const request of requests) collector.add(request);
  const { routes, requests: bytes, slowest } = collector.turn();
  return {
    time,
    routes,
    requests: bytes,
    system,
    slowest: slowest.map((each) => ({ ...each, time: time * 1_000 })),
  };
}
