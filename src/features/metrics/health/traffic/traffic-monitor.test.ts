import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RequestStats } from "../../requests/request-stats.ts";
import { createGoodRandom, finishedRequest } from "../../testing/traffic.ts";
import type { Reference, References } from "./references.ts";
import { TrafficMonitor } from "./traffic-monitor.ts";

/** A route of a simulated service. Times are seconds since the start of the recording. */
interface SimulatedRoute {
  /** Requests per second. */
  readonly rate: number;
  /** Probability of a 5xx response. */
  errors?(time: number): number;
  /** Median latency. The p95 is about 2.3 times as high. */
  latencyMs?(time: number): number;
}

interface Recording {
  readonly seconds: number;
  readonly routes: Readonly<Record<string, SimulatedRoute>>;
  /** The past of a route. Default: none. */
  past?(route: string | undefined, time: number): References;
  readonly seed?: number;
}

interface Change {
  /** In seconds since the start. */
  readonly at: number;
  readonly id: string;
  readonly message: string;
  readonly since: number;
}

const start = 1_700_000_000;

/** Plays a recording, and returns when issues began and ended. */
function play({ seconds, routes, past = () => ({}), seed = 1 }: Recording) {
  const random = createGoodRandom(seed);
  let now = 0;
  const monitor = new TrafficMonitor({
    limitsOf: (route) => ({ errorShare: { value: route ? 0.1 : 0.05 }, p95Ms: { value: 10_000 } }),
    referencesOf: (route) => past(route, now),
  });
  const began: Change[] = [];
  const ended: Pick<Change, "at" | "id">[] = [];
  let open = new Set<string>();
  for (now = 0; now < seconds; now++) {
    monitor.advance(start + now);
    for (const [name, route] of Object.entries(routes)) {
      const stats = secondOf(route, now, random);
      if (stats.count > 0) monitor.add(name, stats);
    }
    if (now % 10 !== 0) continue;
    const issues = monitor.issues();
    const ids = new Set(issues.map(({ id }) => id));
    for (const { id, message, since } of issues)
      if (!open.has(id)) began.push({ at: now, id, message, since: since! / 1_000 - start });
    for (const id of open) if (!ids.has(id)) ended.push({ at: now, id });
    open = ids;
  }
  return { began, ended, open: [...open] };
}

function secondOf(route: SimulatedRoute, time: number, random: () => number): RequestStats {
  const { rate, errors = () => 0.005, latencyMs = () => 20 } = route;
  const stats = new RequestStats();
  const count = Math.floor(rate) + (random() < rate % 1 ? 1 : 0);
  for (let index = 0; index < count; index++) {
    const isFailed = random() < errors(time);
    // The sum of three is close to a normal distribution, so the latency is close to a log-normal one.
    const spread = random() + random() + random() - 1.5;
    const durationMs = latencyMs(time) * Math.exp(spread);
    stats.add(finishedRequest({ statusCode: isFailed ? 502 : 200, durationMs }));
  }
  return stats;
}

const reference = (given: Partial<Reference> = {}): Reference => ({
  count: 5_000,
  failedShare: 0.005,
  p95Ms: 46,
  ...given,
});
const usual = { hour: reference(), yesterday: reference() };
const many = (count: number, route: (index: number) => SimulatedRoute) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`GET /things/${index}`, route(index)]));

const hours = 3_600;

describe("recorded traffic", () => {
  for (const seed of [1, 2]) {
    it(`of a quiet night makes no noise (${seed})`, () => {
      const routes = many(3, () => ({ rate: 0.02, errors: () => 0.02 }));
      const past = () => ({ hour: reference({ count: 70 }), yesterday: reference({ count: 70 }) });
      assert.deepEqual(play({ seconds: 8 * hours, routes, past, seed }).began, []);
    });

    it(`of a busy day with usual errors makes no noise (${seed})`, () => {
      const routes = many(50, () => ({ rate: 0.2, errors: () => 0.01 }));
      const past = () => ({
        hour: reference({ failedShare: 0.01 }),
        yesterday: reference({ failedShare: 0.01 }),
      });
      assert.deepEqual(play({ seconds: hours, routes, past, seed }).began, []);
    });
  }

  for (const offset of [0, 3, 7]) {
    it(`of a deploy with a short spike makes no noise (${offset})`, () => {
      const isSpike = (time: number) => time >= 600 + offset && time < 630 + offset;
      const route: SimulatedRoute = {
        rate: 10,
        errors: (time) => (isSpike(time) ? 0.5 : 0.005),
        latencyMs: (time) => (isSpike(time) ? 800 : 20),
      };
      const { began } = play({ seconds: 1_800, routes: { "GET /": route }, past: () => usual });
      assert.deepEqual(began, []);
    });
  }

  it("of a slow leak is compared with the day before", () => {
    // One percent per minute.
    const latencyMs = (time: number) => 20 * 1.01 ** (time / 60);
    const past = (_: unknown, time: number) => ({
      hour: reference({ p95Ms: 2.3 * latencyMs(Math.max(0, time - 2_100)) }),
      yesterday: reference(),
    });
    const { began, open } = play({
      seconds: 3 * hours,
      routes: { "GET /": { rate: 5, latencyMs } },
      past,
    });
    assert.deepEqual(open.toSorted(), ["latency", "latency GET /"]);
    assert.match(began[0]!.message, /that at this time yesterday \(46 ms\)/);
    assert.ok(began[0]!.at > 60 * 60 && began[0]!.at < 110 * 60, `${began[0]!.at}`);
    assert.equal(began.length, 2);
  });

  it("of one bad route among fifty names the route", () => {
    const routes = many(50, (index) => ({
      rate: 0.2,
      errors: (time) => (index === 7 && time >= 900 ? 0.5 : 0.005),
    }));
    const { began } = play({ seconds: 2_400, routes, past: () => usual });
    assert.deepEqual(
      began.map(({ id }) => id),
      ["errors GET /things/7"],
    );
    assert.ok(began[0]!.at <= 900 + 330, `${began[0]!.at}`);
    assert.match(
      began[0]!.message,
      /^GET \/things\/7 fails in [\d.]+ % of its requests \(\d+ of \d+\), 0.5 % in the hour before\.$/,
    );
  });

  it("of a flapping dependency is one issue, from its beginning to its end", () => {
    const isBad = (time: number) => time >= 600 && time < 1_800 && time % 60 < 20;
    const route = { rate: 5, errors: (time: number) => (isBad(time) ? 0.6 : 0.005) };
    const { began, ended } = play({ seconds: 3_000, routes: { "GET /": route }, past: () => usual });
    assert.deepEqual(began.map(({ id }) => id).toSorted(), ["errors", "errors GET /"]);
    assert.equal(ended.length, 2);
    assert.ok(ended.every(({ at }) => at > 1_800 && at <= 1_800 + 360));
  });

  it("that is bad every day at this time makes no noise, and a worse day does", () => {
    const latencyMs = (time: number) => (time >= 600 ? 80 : 20);
    const past = { hour: reference(), yesterday: reference({ p95Ms: 4 * 46 }) };
    const usualDay = play({ seconds: 1_800, routes: { "GET /": { rate: 5, latencyMs } }, past: () => past });
    assert.deepEqual(usualDay.began, []);
    const worse = { rate: 5, latencyMs: (time: number) => 3 * latencyMs(time) };
    const worseDay = play({ seconds: 1_800, routes: { "GET /": worse }, past: () => past });
    assert.deepEqual(worseDay.open.toSorted(), ["latency", "latency GET /"]);
  });

  it("of an incident is reported within a minute, until it is over, even if it takes hours", () => {
    const isBad = (time: number) => time >= 605 && time < 605 + 3 * hours;
    const routes: Recording["routes"] = {
      "GET /": { rate: 7 },
      "GET /search": { rate: 2, latencyMs: (time) => (isBad(time) ? 1_000 : 40) },
      "POST /checkout": { rate: 1, errors: (time) => (isBad(time) ? 0.35 : 0.01) },
    };
    // After an hour, the hour before is as bad.
    const past = (route: string | undefined, time: number): References => {
      const isPast = isBad(time - 2_000);
      if (route === "GET /search") return { hour: reference({ p95Ms: isPast ? 2_300 : 92 }) };
      if (route === "POST /checkout") return { hour: reference({ failedShare: isPast ? 0.35 : 0.01 }) };
      return {
        hour: reference({
          p95Ms: isPast && !route ? 1_600 : 80,
          failedShare: isPast && !route ? 0.04 : 0.005,
        }),
      };
    };
    const { began, ended, open } = play({ seconds: 4 * hours, routes, past });
    const first = new Map(began.map((change) => [change.id, change]));
    for (const id of ["errors POST /checkout", "latency GET /search"]) {
      const { at, since } = first.get(id)!;
      assert.ok(at <= 605 + 75, `${id}: ${at}`);
      assert.ok(Math.abs(since - 605) <= 20, `${id}: since ${since}`);
      assert.equal(began.filter((change) => change.id === id).length, 1, id);
      const end = ended.find((change) => change.id === id)!.at;
      assert.ok(end >= 605 + 3 * hours && end <= 605 + 3 * hours + 360, `${id}: ended ${end}`);
    }
    assert.match(
      first.get("latency GET /search")!.message,
      /p95 [12]\.\d+ s, \d+ times that in the hour before \(92 ms\)/,
    );
    assert.deepEqual(open, []);
  });
});

describe("without a past", () => {
  it("only absolute limits count", () => {
    const routes = {
      "GET /new": { rate: 2, errors: () => 0.06 },
      "GET /broken": { rate: 2, errors: () => 0.6 },
      "GET /stuck": { rate: 1, latencyMs: () => 20_000 },
    };
    const { began } = play({ seconds: 900, routes });
    const messages = new Map(began.map(({ id, message }) => [id, message]));
    assert.deepEqual([...messages.keys()].toSorted(), [
      "errors",
      "errors GET /broken",
      "latency",
      "latency GET /stuck",
    ]);
    assert.match(messages.get("latency GET /stuck")!, /p95 \d+\.?\d* s, above the limit of 10 s\.$/);
  });

  it("many bad routes are summarized", () => {
    const routes = many(9, () => ({ rate: 1, errors: () => 0.5 }));
    const { began } = play({ seconds: 300, routes });
    const last = began.find(({ id }) => id === "errors others")!;
    assert.equal(began.filter(({ id }) => id.startsWith("errors GET")).length >= 3, true);
    assert.match(last.message, /^(Another route fails|\d other routes fail) more often than usual\.$/);
  });
});
