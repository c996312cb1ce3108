/** With SQLite, no request for a page of the job log may block the others, however many runs there are. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import { insertManyRuns } from "../src/features/cron/testing/many-runs.ts";
import { recordThreads } from "../src/lib/worker/testing/started-threads.ts";

const ada = { identity: "ada@example.com", password: "correct horse" };

async function createLog(t: TestContext, count: number) {
  const started = recordThreads(t);
  const app = createTestApp(t);
  await insertManyRuns(await app.database(), { count, jobs: 7, until: Date.now() });
  await app.superusers.create(ada.identity, ada.password);
  const url = "/api/collections/_superusers/auth-with-password";
  const login = await app.inject({ method: "POST", url, body: ada });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  return {
    app,
    get: async (query: string) => {
      const response = await app.inject({ url: `/api/cron/logs?${query}`, headers });
      return { status: response.status, ...response.json<{ totalItems: number; items: object[] }>() };
    },
    readers: () => started.filter(({ name }) => name === "annex-reader"),
  };
}

describe("pages of the job log", () => {
  it("are read in a thread if the log is long, which ends with the application", async (t) => {
    const { app, get, readers } = await createLog(t, 10_001);
    assert.equal(readers().length, 0);
    const queries = {
      "sort=job_name,-start_time&page=501": [10_001, 1],
      "from=2020-01-01&sort=-duration_ms": [10_001, 20],
      "status=success&trigger=schedule&from=2020-01-01": [9_001, 20],
      "page=501": [10_001, 1],
    };
    for (const [query, expected] of Object.entries(queries)) {
      const { status, totalItems, items } = await get(query);
      assert.deepEqual([status, totalItems, items.length], [200, ...expected], query);
    }
    assert.equal(readers().length, 1);
    await app.stop();
    assert.equal(readers()[0]!.worker.threadId, -1, "it has ended");
  });

  it("do not start a thread if the log is short", async (t) => {
    const { get, readers } = await createLog(t, 100);
    assert.equal((await get("sort=job_name,-start_time&page=2")).totalItems, 100);
    assert.equal(readers().length, 0);
  });
});
