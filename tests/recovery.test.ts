import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hostileValues } from "../src/lib/testing/hostile-values.ts";
import { createFolder, startSource } from "./support/program.ts";

const values = new URL("../src/lib/testing/hostile-values.ts", import.meta.url).href;

/** Throws, rejects and logs values that are hard to print: `/thrown/3` throws the fourth. */
const application = `
  import { hostileValues } from ${JSON.stringify(values)};
  const all = Object.values(hostileValues);
  const app = annex.createApp({ port: 0, docsSources: false, logLevel: "info", dev: false });
  app.onServe(({ router }) => {
    const valueOf = (e) => all[Number(e.pathValue("index"))]();
    router.get("/thrown/{index}", (e) => { throw valueOf(e); });
    router.get("/later/{index}", async (e) => { await null; throw valueOf(e); });
    router.get("/middleware/{index}", (e) => e.json(200, {})).bindFunc((e) => { throw valueOf(e); });
    router.get("/callback/{index}", (e) => new Promise(() => { setImmediate(() => { throw valueOf(e); }); }));
    router.get("/rejected/{index}", (e) => { void Promise.reject(valueOf(e)); return e.json(200, {}); });
    router.get("/logged/{index}", (e) => { app.logger.error("Logged", { value: valueOf(e) }); return e.json(200, {}); });
    router.get("/as-data/{index}", (e) => { app.logger.error("Logged", valueOf(e)); return e.json(200, {}); });
    router.get("/as-message/{index}", (e) => { app.logger.error(valueOf(e)); return e.json(200, {}); });
    router.get("/alive", (e) => e.json(200, { alive: true }));
  });
  for (const [index, create] of all.entries())
    app.jobs.registerJob("job" + index, "Job", "Fails", "0 0 1 1 *", () => { throw create(); });
  const { url } = await app.start();
  process.on("SIGUSR2", async () => {
    for (const index of all.keys()) await app.jobs.run("job" + index);
    process.stderr.write("jobs started\\n");
  });
  process.stderr.write("up at " + url + "\\n");
`;

const ways: readonly { way: string; status: number }[] = [
  { way: "thrown", status: 500 },
  { way: "later", status: 500 },
  { way: "middleware", status: 500 },
  { way: "callback", status: 500 },
  { way: "rejected", status: 200 },
  { way: "logged", status: 200 },
  { way: "as-data", status: 200 },
  { way: "as-message", status: 200 },
];

const names = Object.keys(hostileValues);
/** The engine converts an uncaught value to text before Node sees it, which for this one never ends. */
const endlessText = "a wide and deep object";

describe("a process that meets values that are hard to print", () => {
  it("responds to every request, logs one line for each, and continues", { timeout: 540_000 }, async (t) => {
    const env = { SVC_DATA_DIR: createFolder(t), SVC_LOG_FORMAT: "json" };
    const program = startSource(t, application, { env });
    const [, origin] = await program.says(/up at (http:\S+)/);
    const traces = new Map<string, string>();
    for (const { way, status } of ways) {
      for (const [index, name] of names.entries()) {
        if (way === "callback" && name === endlessText) continue;
        const response = await fetch(`${origin}/${way}/${index}`, { signal: AbortSignal.timeout(90_000) });
        const body = (await response.json()) as { status?: number; trace_id?: string };
        assert.equal(response.status, status, `${name}, ${way}`);
        const traceId = response.headers.get("x-trace-id")!;
        if (status === 500) assert.deepEqual([body.status, body.trace_id], [500, traceId], `${name}, ${way}`);
        traces.set(traceId, `${name}, ${way}`);
      }
    }
    program.child.kill("SIGUSR2");
    await program.says(/jobs started/);
    for (const index of names.keys()) await program.says(new RegExp(`Job \\\\"job${index}\\\\" failed`));
    assert.deepEqual(await (await fetch(`${origin}/alive`)).json(), { alive: true });
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [0, null]);
    assert.doesNotMatch(program.stderr, /Failed to/);
    const lines = program.stdout.split("\n").filter((line) => line !== "");
    assert.ok(lines.every((line) => line.length < 40_000));
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const [traceId, what] of traces) {
      // Values that take long to print may also block the event loop for long enough to be reported.
      const found = records.filter(
        ({ trace_id, event }) => trace_id === traceId && event !== "event_loop_stall",
      );
      assert.deepEqual([found.length, found[0]?.level], [1, "ERROR"], what);
      assert.doesNotMatch(String(found[0]!.msg), /Failed to write a log record/, what);
    }
    for (const index of names.keys()) {
      const failed = records.filter(({ msg }) => msg === `Job "job${index}" failed`);
      assert.equal(failed.length, 1, names[index]);
    }
  });
});
