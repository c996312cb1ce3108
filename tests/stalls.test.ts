import assert from "node:assert/strict";
import { pbkdf2Sync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { Stall } from "../src/features/metrics/wire/stalls.ts";
import type { HealthReason, StallList } from "../src/features/metrics/wire.ts";
import { type Cleanup, share } from "../src/lib/testing/share.ts";
import { until } from "../src/lib/testing/until.ts";

const ada = { identity: "ada@example.com", password: "correct horse" };
const blockedMs = 300;

function block(milliseconds = blockedMs): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

/** Blocks in native code, in which nothing can be observed. */
function blockNatively(): void {
  const end = performance.now() + blockedMs;
  while (performance.now() < end) pbkdf2Sync("password", "salt", 400_000, 64, "sha512");
}

async function startApp(t: Cleanup, options: Parameters<typeof createTestApp>[1] = {}) {
  const app = createTestApp(t, { metrics: { stallMs: 100 }, ...options });
  app.onServe(({ router }) => {
    router.get("/block", async (e) => {
      await sleep(20);
      block();
      return e.json(200, {});
    });
    router.get("/long", (e) => {
      block(700);
      return e.json(200, {});
    });
    router.get("/native", async (e) => {
      await sleep(20);
      blockNatively();
      return e.json(200, {});
    });
    // Busy for a moment every now and then, and in flight for longer than any stall.
    router.get("/slow", async (e) => {
      for (let step = 0; step < 40; step++) await sleep(20);
      return e.json(200, {});
    });
  });
  app.jobs.registerJob("crunch", "Crunch", "Blocks the event loop", "0 0 1 1 *", async () => {
    await sleep(20);
    block();
  });
  if ((await app.superusers.list()).length === 0) await app.superusers.create(ada.identity, ada.password);
  const { url } = await app.start();
  const login = await app.inject({
    method: "POST",
    url: "/api/collections/_superusers/auth-with-password",
    body: ada,
  });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  const get = async <Body>(path: string) =>
    (await (await fetch(`${url}/_/_/data${path}`, { headers })).json()) as Body;
  return { app, url, get, stalls: async () => (await get<StallList>("/stalls")).stalls };
}

const isOf = (route: string) => (stall: Stall) =>
  stall.cause?.kind === "request" && stall.cause.route === route;
/** If the machine is busy, samples may be late although the code is not native. */
const isSeen = (stall: Stall) => isOf("/block")(stall) && stall.is_certain === true;
const isOfJob = (stall: Stall) => stall.cause?.kind === "run";

describe("a stall of the event loop", () => {
  const shared = share(startApp);

  /** A busy machine may delay the thread that watches, and have stalls of its own: repeats it until it is found. */
  async function findStall(
    make: () => Promise<unknown>,
    isWanted: (stall: Stall) => boolean,
  ): Promise<Stall> {
    const { stalls } = await shared();
    const found = await until(
      "the stall is found",
      async () => {
        await make();
        return stalls();
      },
      (all) => all.some(isWanted),
    );
    return found.find(isWanted)!;
  }

  it("names the request that blocked, and the others in flight", async () => {
    const { url } = await shared();
    const found = await findStall(async () => {
      const others = [1, 2, 3].map(async () => (await fetch(`${url}/slow`)).text());
      await sleep(50);
      await (await fetch(`${url}/block`)).text();
      await Promise.all(others);
    }, isSeen);
    assert.ok(found.duration_ms >= 100);
    assert.equal(found.function, "block");
    assert.match(found.location!, /^tests\/stalls\.test\.ts:\d+:\d+$/);
    assert.ok(found.stack.some((line) => line.startsWith("block (tests/stalls.test.ts:")));
    assert.ok(found.in_flight.every((work) => work.kind === "request" && work.route === "/slow"));
    assert.equal(found.in_flight.length, found.in_flight_count);
  });

  it("has the trace ID of that request, by which it can be found", async () => {
    const { url, get } = await shared();
    const traces: string[] = [];
    const found = await findStall(
      async () => {
        const response = await fetch(`${url}/block`);
        traces.push(response.headers.get("x-trace-id")!);
        await response.text();
      },
      (stall) => traces.includes(stall.cause?.trace_id ?? ""),
    );
    const { count, stalls } = await get<StallList>(`/stalls?trace=${found.cause!.trace_id}`);
    assert.deepEqual([count, stalls], [1, [found]]);
  });

  it("names the request after a native function", async () => {
    const { url } = await shared();
    const found = await findStall(async () => (await fetch(`${url}/native`)).text(), isOf("/native"));
    assert.equal(found.function, "blockNatively");
  });

  it("names the job and its run", async () => {
    const { app, url } = await shared();
    const runs: string[] = [];
    const found = await findStall(async () => {
      const slow = fetch(`${url}/slow`);
      const { id } = await app.jobs.run("crunch");
      runs.push(id);
      await (await slow).text();
    }, isOfJob);
    assert.partialDeepStrictEqual(found.cause, { kind: "run", job_id: "crunch" });
    assert.ok(found.cause?.kind === "run" && runs.includes(found.cause.run_id));
  });

  it("names the function of other code", async () => {
    const tick = () => block();
    const found = await findStall(
      () => new Promise<void>((resolve) => setTimeout(() => resolve(tick()), 10)),
      ({ cause, function: name }) => cause === undefined && name === "block",
    );
    assert.ok(found.stack.some((line) => line.startsWith("tick (tests/stalls.test.ts:")));
  });

  it("is not blamed on a request that only waits", async () => {
    const { url, stalls } = await shared();
    const get = async (path: string) => (await fetch(`${url}${path}`)).text();
    const blockAmongOthers = async () => {
      const began = Date.now();
      const others = [1, 2, 3].map(() => get("/slow"));
      await get("/block");
      await Promise.all(others);
      return (await stalls()).filter(({ started_at }) => started_at >= began);
    };
    // A busy machine may stop this process for a while, also in a moment in which such a request is at work.
    await until(
      "only the request that blocked is blamed",
      blockAmongOthers,
      (recent) => recent.some(isOf("/block")) && !recent.some(isOf("/slow")),
    );
  });
});

it("long stalls are in the log, with their trace ID, and in the reason of the health status", async (t) => {
  const { app, url, get } = await startApp(t);
  const traces: string[] = [];
  const blockAndRead = async () => {
    const response = await fetch(`${url}/long`);
    traces.push(response.headers.get("x-trace-id")!);
    await response.text();
    return get<{ verdict: { reasons: HealthReason[] } }>("/now");
  };
  const isNamed = ({ message }: HealthReason) => / GET \/long blocked it for [\d.]+ m?s in /.test(message);
  await until("the reason names the route", blockAndRead, ({ verdict }) => verdict.reasons.some(isNamed));
  const readRecords = async () => {
    const lines = (await readFile(join(app.dataDir, "app.log"), "utf8")).split("\n");
    return lines.filter((line) => line.includes('"event_loop_stall"')).map((line) => JSON.parse(line));
  };
  const records = await until("a warning names the route", readRecords, (all) =>
    all.some(({ route }) => route === "/long"),
  );
  const record = records.find(({ route }) => route === "/long");
  assert.partialDeepStrictEqual(record, { level: "WARN", msg: "Event loop blocked", method: "GET" });
  assert.ok(traces.includes(record.trace_id));
});

it("stalls are not looked for if the option turns it off", async (t) => {
  const { url, stalls } = await startApp(t, { metrics: { stallMs: 0 } });
  await (await fetch(`${url}/block`)).text();
  assert.deepEqual(await stalls(), []);
});

it("stalls survive a restart", async (t) => {
  const first = await startApp(t);
  const make = async () => {
    await (await fetch(`${first.url}/block`)).text();
    return first.stalls();
  };
  const before = await until("a stall is found", make, (all) => all.some(isOf("/block")));
  await first.app.stop();
  const { stalls } = await startApp(t, { dataDir: first.app.dataDir });
  const after = await stalls();
  assert.ok(before.every(({ started_at }) => after.some((stall) => stall.started_at === started_at)));
});
