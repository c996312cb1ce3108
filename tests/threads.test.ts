import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { OpenAPIDocument } from "../src/features/docs/model/openapi.ts";
import { type Cleanup, share } from "../src/lib/testing/share.ts";
import { settles, until } from "../src/lib/testing/until.ts";
import { recordThreads } from "../src/lib/worker/testing/started-threads.ts";

const ada = { identity: "ada@example.com", password: "correct horse" };

interface Snapshot {
  health: { status: string };
  verdict: { reasons: { message: string }[] };
  cost: { dropped: Record<string, number> };
}

async function startApp(t: Cleanup) {
  const started = recordThreads(t);
  const app = createTestApp(t);
  app.onServe(({ router }) => {
    router.get("/things", (e) => e.json(200, { things: [] }));
  });
  await app.superusers.create(ada.identity, ada.password);
  const login = await app.inject({
    method: "POST",
    url: "/api/collections/_superusers/auth-with-password",
    body: ada,
  });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  await app.start();
  return {
    app,
    /** A thread of this name, once it is ready. */
    async thread(name: string, index = 0) {
      const find = () => started.filter((each) => each.name === name)[index];
      const found = await until(`${name} has started`, find);
      await settles(`${name} is ready`, found!.ready);
      return found!.worker;
    },
    health: async () => (await app.inject({ url: "/api/health" })).json<{ status: string }>().status,
    snapshot: async () => (await app.inject({ url: "/_/_/data/now", headers })).json<Snapshot>(),
  };
}

describe("an application whose thread ends", () => {
  const shared = share(startApp);
  const effects = {
    "annex-log-writer": "Failed to store log records",
    "annex-background": "Failed to store metrics, errors and visitors",
  };
  for (const [name, effect] of Object.entries(effects)) {
    it(`reports it in its health until it has restarted: ${name}`, async () => {
      const { thread, health, snapshot } = await shared();
      const first = await thread(name);
      await until("it is healthy", async () => (await health()) === "healthy");
      await first.terminate();
      const reason = `${effect}: The thread ${name} has ended: exit code 1.`;
      const shown = await until("the reason is shown", snapshot, ({ verdict }) =>
        verdict.reasons.some(({ message }) => message === reason),
      );
      // The same record as in /api/health, from the same moment.
      assert.equal(shown.health.status, "degraded");
      await thread(name, 1);
      await until("it is healthy again", async () => (await health()) === "healthy");
      assert.ok(!(await snapshot()).verdict.reasons.some(({ message }) => message === reason));
    });
  }

  it("counts what the background thread did not receive", async () => {
    const { snapshot } = await shared();
    assert.ok((await snapshot()).cost.dropped.handed_over! > 0);
  });

  it("still has documents, made of the routes alone", async () => {
    const { app, thread } = await shared();
    const reading = app.inject({ url: "/api/docs/v1/openapi.json" });
    await (await thread("annex-analysis")).terminate();
    const document = (await settles("the document is there", reading)).json<OpenAPIDocument>();
    assert.ok(document.paths["/things"]);
    assert.equal(document["x-analysis"]?.level, "none");
  });
});
