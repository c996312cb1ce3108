import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as later } from "node:timers/promises";
import { createEvents } from "../../feature/index.ts";
import { type Host, Listener, listenerLimits } from "../../http/index.ts";
import { attachLogging, errorWithContext, infoWithContext, setupLogging, setupRecovery } from "./setup.ts";
import { createMemoryLogging } from "./testing/memory-logging.ts";

describe("records of the application's life", () => {
  it("app_startup has the process ID and the start time, and nothing else", async () => {
    const { logging, records } = createMemoryLogging();
    logging.recordStart("Listening");
    const [{ time, start_time, ...rest } = {} as never] = await records();
    assert.ok(Date.parse(time) >= Date.parse(String(start_time)));
    assert.deepEqual(rest, { level: "INFO", event: "app_startup", pid: process.pid, msg: "Listening" });
  });

  it("app_shutdown has only the metrics of the process", async () => {
    const { logging, records } = createMemoryLogging();
    logging.recordStop(true);
    const [{ time, msg, ...rest } = {} as never] = await records();
    assert.deepEqual(rest, {
      level: "INFO",
      event: "app_shutdown",
      is_restart: true,
      uptime: "0s",
      total_requests: 0,
      avg_request_time_ms: 0,
    });
  });
});

describe("the application's lines", () => {
  it("carry level, event, process ID and start time; the level can change at any time", async () => {
    const { logging, records } = createMemoryLogging({ level: "warn" });
    logging.logger.info("unheard");
    logging.logger.warn("heard");
    logging.logger.level = "debug";
    logging.logger.debug("now heard", { order: 17 });
    const written = await records();
    assert.deepEqual(
      written.map(({ level, msg, event, pid, order }) => [level, msg, event, pid, order]),
      [
        ["WARN", "heard", "log", process.pid, undefined],
        ["DEBUG", "now heard", "log", process.pid, 17],
      ],
    );
  });

  it("show an error in the same way under every name", async () => {
    const { logging, records } = createMemoryLogging();
    const error = new TypeError("no", { cause: new Error("why") });
    logging.logger.info("failed", { error, err: error });
    const [record] = await records();
    assert.partialDeepStrictEqual(record?.err, { name: "TypeError" });
    assert.deepEqual(record?.err, record?.error);
  });

  it("keep the beginning of text of absurd size", async () => {
    const { logging, records } = createMemoryLogging();
    logging.logger.info("huge", { payload: "x".repeat(200_000) });
    logging.logger.info("\u0000".repeat(400_000));
    logging.logger.info("after");
    const [huge, long, after] = await records();
    assert.match(String(huge!.payload), /^x+… \(\d+ more characters\)$/);
    assert.equal(long!.msg.length, 16_384);
    assert.equal(after!.msg, "after");
  });
});

async function serveWithLogging() {
  const { logging, records } = createMemoryLogging();
  const app = {} as Host;
  const listener = new Listener({ app, limits: listenerLimits });
  attachLogging(app, logging, createEvents(listener.observer));
  setupLogging(app);
  return { app, listener, logging, records, router: listener.routes.router("the application") };
}

describe("sampling", () => {
  it("keeps application records, and the requests that logged a warning or an error", async () => {
    const { listener, logging, records, router } = await serveWithLogging();
    logging.sampleRequests({ share: 0.0001 });
    router.get("/plain", (e) => e.noContent());
    router.get("/info", (e) => {
      logging.logger.info("Paid");
      return e.noContent();
    });
    router.get("/warned", (e) => {
      logging.logger.warn("The provider answered slowly");
      return e.noContent();
    });
    router.get("/broken", () => {
      throw new Error("no");
    });
    await listener.ready();
    assert.equal(logging.recording().sample, 0.0001);
    for (let round = 0; round < 5; round++)
      for (const url of ["/plain", "/info", "/warned", "/broken", "/missing"]) await listener.inject({ url });
    const written = await records();
    const pathsOf = (event: string) => written.filter((line) => line.event === event).map(({ path }) => path);
    assert.deepEqual(pathsOf("http_request"), new Array(5).fill(["/warned", "/broken", "/missing"]).flat());
    assert.equal(written.filter(({ event }) => event === "log").length, 10);
    assert.equal(written.filter(({ event }) => event === "error").length, 5);
    logging.sampleRequests({ share: 1 });
    await listener.inject({ url: "/plain" });
    assert.ok((await records()).some(({ path }) => path === "/plain"));
  });
});

describe("the trace ID", () => {
  it("reaches every line written while a request is handled, through async code", async () => {
    const { listener, logging, records, router } = await serveWithLogging();
    router.get("/work/{n}", async (e) => {
      logging.logger.info("begin", { n: e.pathValue("n") });
      await later(1);
      await Promise.all([1, 2].map(async () => logging.logger.info("inner", { n: e.pathValue("n") })));
      await new Promise<void>((resolve) => {
        setImmediate(() => {
          logging.logger.info("callback", { n: e.pathValue("n") });
          resolve();
        });
      });
      return e.noContent();
    });
    await listener.ready();
    const responses = await Promise.all(["1", "2", "3"].map((n) => listener.inject({ url: `/work/${n}` })));
    const lines = (await records()).filter(({ event }) => event === "log");
    assert.equal(lines.length, 12);
    for (const { n, trace_id } of lines)
      assert.equal(trace_id, responses[Number(n) - 1]!.headers["x-trace-id"]);
  });

  it("is absent outside of a request, and the context's where one is given", async () => {
    const { app, listener, records, router } = await serveWithLogging();
    let kept: Parameters<typeof infoWithContext>[0] = null;
    router.get("/", (e) => {
      kept = e;
      return e.noContent();
    });
    await listener.ready();
    const response = await listener.inject({ url: "/" });
    infoWithContext(null, app, "outside", { a: 1 });
    infoWithContext(kept, app, "inside");
    errorWithContext(kept, app, "failed", new Error("why"), { b: 2 });
    const lines = (await records()).filter(({ event }) => event !== "http_request");
    assert.deepEqual(
      lines.map(({ level, msg, trace_id, a, b }) => [level, msg, trace_id, a, b]),
      [
        ["INFO", "outside", undefined, 1, undefined],
        ["INFO", "inside", response.headers["x-trace-id"], undefined, undefined],
        ["ERROR", "failed", response.headers["x-trace-id"], undefined, 2],
      ],
    );
    assert.match(String((lines[2]!.error as Error).stack), /why/);
  });
});

describe("requests", () => {
  it("are recorded once each, failures with their cause, excluded paths not at all", async () => {
    const { listener, records, router } = await serveWithLogging();
    router.get("/fails", () => {
      throw new Error("broken");
    });
    router.get("/refuses", (e) => {
      throw e.error(409, "not now");
    });
    await listener.ready();
    const failed = await listener.inject({ url: "/fails" });
    await listener.inject({ url: "/refuses" });
    await listener.inject({ url: "/favicon.ico" });
    const written = await records();
    assert.deepEqual(
      written.map(({ event, level, path, status }) => [event, level, path, status]),
      [
        ["error", "ERROR", "/fails", undefined],
        ["http_request", "DEBUG", "/fails", "500 Internal Server Error"],
        ["http_request", "DEBUG", "/refuses", "409 Conflict"],
      ],
    );
    assert.equal(written[0]!.trace_id, failed.headers["x-trace-id"]);
    assert.ok(!failed.body.includes("broken"));
  });

  it("are recorded once when logging is set up again, and not below the level", async () => {
    const { app, listener, logging, records, router } = await serveWithLogging();
    setupLogging(app);
    setupRecovery(app, {});
    router.get("/", (e) => e.noContent());
    await listener.ready();
    await listener.inject({ url: "/" });
    logging.logger.level = "info";
    await listener.inject({ url: "/" });
    assert.equal((await records()).length, 1);
  });

  it("setting up logging for something else is refused", () => {
    assert.throws(() => setupLogging({}), TypeError);
  });
});

describe("what is recorded", () => {
  it("is described by its level, whether requests are logged, and whether records are stored", async () => {
    const { logging } = createMemoryLogging({ level: "info" });
    assert.deepEqual(logging.recording(), { level: "info", requests: false, sample: 1, stored: false });
    logging.logger.level = "debug";
    assert.deepEqual(logging.recording(), { level: "debug", requests: true, sample: 1, stored: false });
  });

  it("has an empty volume without a store", async () => {
    const { logging } = createMemoryLogging();
    logging.logger.info("said");
    const none = { debug: 0, info: 0, warn: 0, error: 0 };
    assert.deepEqual(await logging.volume({ from: 0, to: 2_000, points: 2 }), {
      from: 0,
      to: 2_000,
      stepMs: 1_000,
      points: [
        { time: 0, ...none },
        { time: 1_000, ...none },
      ],
    });
  });
});
