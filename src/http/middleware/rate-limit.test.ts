import assert from "node:assert/strict";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import {
  cors,
  type ErrorBody,
  type InjectResponse,
  type RateLimitOptions,
  type RequestEvent,
  rateLimit,
} from "../index.ts";
import { createListener, type TestListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { RateCounter } from "./rate-counter.ts";
import { createRateLimit } from "./rate-limit.ts";

function ok(e: RequestEvent): unknown {
  return e.noContent();
}

async function createServer(
  t: Parameters<typeof createListener>[0],
  options: RateLimitOptions,
): Promise<TestListener & { clock: FakeClock }> {
  const clock = new FakeClock("2026-11-17T12:00:00Z");
  const server = await createListener(
    t,
    (router) => {
      const limited = router.setPrefix("/api");
      limited.use(createRateLimit(options, clock));
      limited.get("/x", ok);
      limited.get("/y", ok);
      router.get("/free", ok);
    },
    { trusted: ["127.0.0.1"] },
  );
  return { ...server, clock };
}

function quotaOf({ status, headers }: InjectResponse): unknown[] {
  return [status, headers.ratelimit, headers["retry-after"]];
}

test("requests over the limit are refused until the window ends", async (t) => {
  const { inject, clock } = await createServer(t, { limit: 2, per: "1m" });
  assert.deepEqual(quotaOf(await inject("/api/x")), [204, '"2-per-1m";r=1;t=60', undefined]);
  clock.advance(20_500);
  assert.deepEqual(quotaOf(await inject("/api/x")), [204, '"2-per-1m";r=0;t=40', undefined]);
  const refused = await inject("/api/x");
  assert.deepEqual(quotaOf(refused), [429, '"2-per-1m";r=0;t=40', "40"]);
  assert.deepEqual(refused.json<ErrorBody>(), {
    status: 429,
    message: "Too many requests. Retry in 40 s.",
    data: {},
    trace_id: refused.headers["x-trace-id"],
  });
  clock.advance(39_499);
  assert.deepEqual(quotaOf(await inject("/api/x")), [429, '"2-per-1m";r=0;t=1', "1"]);
  clock.advance(1);
  assert.deepEqual(quotaOf(await inject("/api/x")), [204, '"2-per-1m";r=1;t=60', undefined]);
});

test("every response contains the policy", async (t) => {
  const { inject } = await createServer(t, { limit: 1, windowMs: 90_000, name: "search" });
  for (const status of [204, 429]) {
    const response = await inject("/api/x");
    assert.deepEqual([response.status, response.headers["ratelimit-policy"]], [status, '"search";q=1;w=90']);
  }
});

test("all routes of a router are counted together, with unknown paths and methods", async (t) => {
  const { inject } = await createServer(t, { limit: 4, per: "1m" });
  const rows: [method: string, url: string, status: number][] = [
    ["GET", "/api/x", 204],
    ["GET", "/api/y", 204],
    ["GET", "/api/nothing", 404],
    ["POST", "/api/x", 405],
    ["GET", "/api/x", 429],
    ["GET", "/free", 204],
  ];
  for (const [method, url, status] of rows) assert.equal((await inject({ method, url })).status, status, url);
});

test("a refused request is not counted", async (t) => {
  const { inject, clock } = await createServer(t, { limit: 1, per: "10s" });
  for (let second = 0; second < 10; second++) {
    assert.equal((await inject("/api/x")).status, second === 0 ? 204 : 429);
    clock.advance(1_000);
  }
  assert.equal((await inject("/api/x")).status, 204);
});

test("each address has its own count, and an IPv6 client that of its /64", async (t) => {
  const { inject } = await createServer(t, { limit: 1, per: "1m" });
  const rows: [address: string, status: number][] = [
    ["192.0.2.1", 204],
    ["192.0.2.2", 204],
    ["192.0.2.1", 429],
    ["2001:db8:1:2::1", 204],
    ["2001:db8:1:2:ffff::9", 429],
    ["2001:db8:1:3::1", 204],
    ["::ffff:192.0.2.2", 429],
  ];
  for (const [address, status] of rows) {
    const response = await inject({ url: "/api/x", headers: { "x-forwarded-for": address } });
    assert.equal(response.status, status, address);
  }
});

test("by identity, each user has a count, and requests without a user have that of their address", async (t) => {
  const { inject, listener } = await createServer(t, { limit: 1, per: "1m", by: "identity" });
  listener.identifyWith((e) => {
    const id = e.header("x-user");
    return id === undefined ? null : { id };
  });
  const rows: [user: string | undefined, address: string, status: number][] = [
    ["ada", "192.0.2.1", 204],
    ["ada", "192.0.2.2", 429],
    ["bob", "192.0.2.1", 204],
    [undefined, "192.0.2.1", 204],
    [undefined, "192.0.2.1", 429],
    [undefined, "192.0.2.2", 204],
    ["192.0.2.3", "192.0.2.4", 204],
    [undefined, "192.0.2.3", 204],
  ];
  for (const [user, address, status] of rows) {
    const headers = { "x-forwarded-for": address, ...(user !== undefined && { "x-user": user }) };
    assert.equal((await inject({ url: "/api/x", headers })).status, status, `${user} ${address}`);
  }
});

test("a function can choose what is counted together, and what is not limited", async (t) => {
  const { inject, failures } = await createServer(t, {
    limit: 1,
    per: "1m",
    by: (e) => (e.header("x-key") === "number" ? (7 as unknown as string) : e.header("x-key")),
  });
  const long = "k".repeat(5_000);
  const rows: [key: string | undefined, status: number][] = [
    ["a", 204],
    ["a", 429],
    ["b", 204],
    [undefined, 204],
    [undefined, 204],
    [long, 204],
    [long, 429],
    [`${long}2`, 204],
    ["number", 500],
  ];
  for (const [key, status] of rows) {
    const headers = key === undefined ? {} : { "x-key": key };
    const response = await inject({ url: "/api/x", headers });
    assert.equal(response.status, status, key);
    assert.equal(response.headers.ratelimit === undefined, key === undefined || key === "number");
  }
  assert.equal(
    (failures.items[0]!.error as Error).message,
    "rateLimit: by must return a string or undefined, got number.",
  );
});

test("several limits apply to one route", async (t) => {
  const clock = new FakeClock(0);
  const { inject } = await createListener(t, (router) => {
    router.use(
      createRateLimit({ limit: 3, per: "1h" }, clock),
      createRateLimit({ limit: 2, per: "1s" }, clock),
    );
    router.get("/x", ok);
  });
  const first = await inject("/x");
  assert.equal(first.headers["ratelimit-policy"], '"3-per-1h";q=3;w=3600, "2-per-1s";q=2;w=1');
  assert.equal(first.headers.ratelimit, '"3-per-1h";r=2;t=3600, "2-per-1s";r=1;t=1');
  await inject("/x");
  clock.advance(1_000);
  assert.equal((await inject("/x")).status, 204);
  clock.advance(1_000);
  const last = await inject("/x");
  assert.deepEqual([last.status, last.headers["retry-after"]], [429, "3598"]);
});

test("requests that a guard refuses are counted, and preflight requests are not", async (t) => {
  const origin = "https://app.example.com";
  const { inject } = await createListener(t, (router) => {
    router.bind((e) => {
      throw e.error(401, "No.");
    });
    router.use(rateLimit({ limit: 1, per: "1h" }), cors({ origins: origin }));
    router.get("/x", ok);
  });
  const preflight = { origin, "access-control-request-method": "GET" };
  for (const _ of [1, 2]) {
    assert.equal((await inject({ method: "OPTIONS", url: "/x", headers: preflight })).status, 204);
  }
  for (const status of [401, 429]) {
    const response = await inject({ url: "/x", headers: { origin } });
    assert.deepEqual([response.status, response.headers["access-control-allow-origin"]], [status, origin]);
  }
});

test("a flood of keys takes a limited amount of memory", () => {
  const clock = new FakeClock(0);
  const counter = new RateCounter({ windowMs: 60_000, maxKeys: 100, clock });
  const take = (key: string) => counter.add(counter.find(key, clock.elapsed()));
  for (let index = 0; index < 10_000; index++) take(`key ${index}`);
  assert.equal(counter.size, 100);
  assert.equal(counter.find("key 9999", clock.elapsed()).count, 1);
  assert.equal(counter.find("key 9899", clock.elapsed()).count, 0, "the oldest are dropped");
});

test("expired keys leave the memory, and a request never pays for many", () => {
  const clock = new FakeClock(0);
  const counter = new RateCounter({ windowMs: 60_000, maxKeys: 1_000, clock });
  for (let index = 0; index < 500; index++) counter.find(`old ${index}`, clock.elapsed());
  clock.advance(60_000);
  counter.find("new", clock.elapsed());
  assert.equal(counter.size, 499);
  for (let index = 0; index < 500; index++) counter.find(`new ${index}`, clock.elapsed());
  assert.equal(counter.size, 501);
});

test("a key that begins a new window is dropped after those that ended", () => {
  const clock = new FakeClock(0);
  const counter = new RateCounter({ windowMs: 10, maxKeys: 2, clock });
  const take = (key: string) => counter.add(counter.find(key, clock.elapsed()));
  take("a");
  clock.advance(5);
  take("b");
  clock.advance(6);
  take("a");
  take("c");
  assert.equal(counter.find("a", clock.elapsed()).count, 1);
});

const mistakes: { options: unknown; message: string }[] = [
  { options: undefined, message: "rateLimit: limit must be a whole number above 0, got undefined." },
  { options: { limit: 0, per: "1m" }, message: "rateLimit: limit must be a whole number above 0, got 0." },
  {
    options: { limit: 1.5, per: "1m" },
    message: "rateLimit: limit must be a whole number above 0, got 1.5.",
  },
  { options: { limit: 1 }, message: 'rateLimit: pass either per, such as "1m", or windowMs.' },
  {
    options: { limit: 1, per: "1m", windowMs: 60_000 },
    message: 'rateLimit: pass either per, such as "1m", or windowMs.',
  },
  {
    options: { limit: 1, per: "minute" },
    message: 'rateLimit: per must be like "30s", "1m", "2h" or "1d", got "minute".',
  },
  {
    options: { limit: 1, per: "0s" },
    message: 'rateLimit: per must be like "30s", "1m", "2h" or "1d", got "0s".',
  },
  { options: { limit: 1, windowMs: 10 }, message: "rateLimit: windowMs must be a multiple of 1000, got 10." },
  {
    options: { limit: 1, per: "1m", by: "ip" },
    message: 'rateLimit: by must be "address", "identity" or a function, got "ip".',
  },
  {
    options: { limit: 1, per: "1m", name: 'a"b' },
    message: 'rateLimit: name must consist of 1 to 64 letters, digits, spaces and _.:/-, got "a\\"b".',
  },
  {
    options: { limit: 1, per: "1m", maxKeys: -1 },
    message: "rateLimit: maxKeys must be a whole number above 0, got -1.",
  },
  {
    options: { limit: 1, per: "1m", key: "ip" },
    message: 'rateLimit has no option "key". It has limit, per, windowMs, by, name, maxKeys.',
  },
];

for (const { options, message } of mistakes) {
  test(`registration fails: ${message}`, () => {
    assert.throws(() => rateLimit(options as RateLimitOptions), { name: "TypeError", message });
  });
}
