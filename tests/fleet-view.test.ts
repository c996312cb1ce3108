import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { LogRecord, RecordPage } from "../src/features/logging/wire.ts";
import type {
  ErrorDetail,
  ErrorTable,
  InstanceList,
  RecentRequests,
  RequestDetail,
  RouteTable,
  SlowestRequests,
} from "../src/features/metrics/wire.ts";
import type { App } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { createTestDatabase } from "./support/postgres.ts";

/** Two applications on one PostgreSQL: what one does is visible on the other. */

const ada = { identity: "ada@example.com", password: "correct horse battery" };

interface Member {
  readonly app: App;
  readonly url: string;
}

async function startFleet(t: TestContext) {
  const { url: database, drop } = await createTestDatabase();
  const start = async (instance: string): Promise<Member> => {
    const app = createTestApp(t, {
      database,
      instance,
      release: "1.2.3",
      logLevel: "debug",
      databaseTimeoutMs: 60_000,
    });
    app.onServe(({ router }) => {
      router.get("/hello/{name}", (e) => e.json(200, { hello: e.pathValue("name") }));
      router.get("/broken", () => {
        throw new Error("out of order");
      });
    });
    app.jobs.registerJob(
      "wait",
      "Wait",
      "",
      "0 0 1 1 *",
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const { url } = await app.start();
    return { app, url };
  };
  const first = await start("web-1");
  const second = await start("web-2");
  // Registered after the applications, which are stopped first.
  t.after(drop);
  await first.app.superusers.create(ada.identity, ada.password);
  const login = await first.app.inject({
    method: "POST",
    url: "/api/collections/_superusers/auth-with-password",
    body: ada,
  });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  const get = async <Body>({ url }: Member, path: string): Promise<Body> =>
    (await (await fetch(url + path, { headers })).json()) as Body;
  return { first, second, get, headers };
}

/**
 * Starts a run again if it ends: on a busy machine, an instance may lose its lease and abort its runs. Returns a
 * function that ends this.
 */
function keepRunning(app: App, job: string): () => void {
  const start = () => void app.jobs.run(job).catch(() => {});
  start();
  const timer = setInterval(start, 1_000);
  return () => clearInterval(timer);
}

describe("an instance of a fleet", () => {
  it("shows the requests, log records and errors of all instances, and filters them by instance", async (t) => {
    const { first, second, get, headers } = await startFleet(t);
    await fetch(`${first.url}/hello/one`);
    const remote = await fetch(`${second.url}/hello/two`);
    const trace = remote.headers.get("x-trace-id")!;
    for (let i = 0; i < 2; i++) await fetch(`${second.url}/broken`);
    await fetch(`${first.url}/broken`);

    const pathsOf = ({ requests }: RecentRequests) =>
      requests.map(({ instance, path }) => `${instance} ${path}`).sort();
    const hellos = ["web-1 /hello/one", "web-2 /hello/two"];
    for (const member of [first, second]) {
      const all = await until(
        "the latest requests are those of both",
        () => get<RecentRequests>(member, "/_/_/data/recent?path=/hello/*"),
        ({ requests }) => requests.length === 2,
      );
      assert.deepEqual(pathsOf(all), hellos);
      const some = await until(
        "the latest request of web-2 is shown",
        () => get<RecentRequests>(member, "/_/_/data/recent?path=/hello/*&instance=web-2"),
        ({ requests }) => requests.length > 0,
      );
      assert.deepEqual(pathsOf(some), ["web-2 /hello/two"]);
      // The other instance understands the cursor.
      const other = member === first ? second : first;
      const newest = await until(
        "the cursor covers both",
        () => get<RecentRequests>(member, "/_/_/data/recent"),
        ({ requests }) => requests.filter(({ path }) => path === "/broken").length === 3,
      );
      const rest = await get<RecentRequests>(other, `/_/_/data/recent?cursor=${newest.cursor}`);
      assert.deepEqual(pathsOf(rest), []);
    }
    const detail = await until(
      "the request of the other instance is shown",
      () => get<Partial<RequestDetail>>(first, `/_/_/data/requests/${trace}`),
      ({ instance }) => instance !== undefined,
    );
    assert.deepEqual([detail.instance, detail.path, detail.headers], ["web-2", "/hello/two", undefined]);
    const own = await get<RequestDetail>(second, `/_/_/data/requests/${trace}`);
    assert.ok(own.headers && own.headers.length > 0);

    const instancesOf = (records: readonly LogRecord[]) =>
      [...new Set(records.map((each) => each.instance))].sort();
    const records = await until(
      "the records of both are found",
      () => get<RecordPage>(first, "/_/_/data/logs?path=/hello/*"),
      ({ items }) => items.length === 2,
    );
    assert.deepEqual(instancesOf(records.items), ["web-1", "web-2"]);
    for (const filter of ["instance=web-2", "where=instance:web-2", "not=instance:web-1"]) {
      const { items } = await get<RecordPage>(first, `/_/_/data/logs?path=/hello/*&${filter}`);
      assert.deepEqual(instancesOf(items), ["web-2"], filter);
    }
    const download = async (path: string) => (await fetch(first.url + path, { headers })).text();
    const csv = await download("/_/_/data/requests.csv?path=/hello/*&instance=web-2");
    assert.match(csv, /^time,.*,trace_id,instance,sample\r\n.*,\/hello\/two,.*,web-2,\r\n$/);
    const ndjson = await download("/_/_/data/logs.ndjson?path=/hello/*&instance=web-2");
    assert.equal(JSON.parse(ndjson).instance, "web-2");

    const errors = await until(
      "the errors of both are counted",
      () => get<ErrorTable>(first, "/_/_/data/errors"),
      (table) => table.errors[0]?.count === 3,
    );
    const [group] = errors.errors;
    assert.deepEqual(group!.instances, [
      { instance: "web-2", count: 2 },
      { instance: "web-1", count: 1 },
    ]);
    const some = await get<ErrorTable>(first, "/_/_/data/errors?instance=web-1");
    assert.deepEqual(some.errors[0]!.instances, [{ instance: "web-1", count: 1 }]);
    const error = await get<ErrorDetail>(first, `/_/_/data/errors/${group!.fingerprint}?instance=web-1`);
    assert.deepEqual([error.samples.length, error.samples[0]!.instance], [1, "web-1"]);

    const { routes } = await get<RouteTable>(first, "/_/_/data/routes");
    assert.equal(routes.find(({ route }) => route === "GET /hello/{name}")!.count, 2);
    const { requests: slowest } = await get<SlowestRequests>(first, "/_/_/data/slowest");
    assert.deepEqual(slowest.find(({ path }) => path === "/hello/two")!.instance, "web-2");
  });

  it("lists the others with their load and their runs, and notices when one stops", async (t) => {
    const { first, second, get } = await startFleet(t);
    const endRuns = keepRunning(second.app, "wait");
    t.after(endRuns);
    const list = () => get<InstanceList>(first, "/_/_/data/instances");
    const of = ({ instances }: InstanceList, name: string) =>
      instances.find((each) => each.instance === name);
    const found = await until("the run is listed", list, (all) => of(all, "web-2")?.status?.run_count === 1);
    assert.equal(found.is_shared, true);
    const { state, status, description } = of(found, "web-2")!;
    assert.deepEqual([state, description.app_release], ["running", "1.2.3"]);
    assert.deepEqual(
      status!.runs.map(({ job_id }) => job_id),
      ["wait"],
    );
    assert.ok(status!.system["process.rss_bytes"]! > 0);
    assert.equal(typeof status!.verdict.uptime_seconds, "number");
    assert.equal(of(found, "web-1")!.status!.run_count, 0);
    endRuns();
    await second.app.stop();
    const after = of(await list(), "web-2")!;
    assert.deepEqual([after.state, after.status], ["stopped", undefined]);
  });
});
