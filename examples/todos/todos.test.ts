import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { App, InjectRequest, Run } from "../../src/index.ts";
import { until } from "../../src/lib/testing/until.ts";
import { createTodosApp } from "./app.ts";
import type { Tables } from "./tables.ts";

async function startExample(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), "annex-todos-"));
  const app = createTodosApp({ dataDir, log: { destination: join(dataDir, "log"), store: false } });
  t.after(async () => {
    await app.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const addPerson = async (name: string) => {
    const response = await app.inject({ method: "POST", url: "/api/v1/people", body: { name } });
    const { id, key } = response.json<{ id: string; key: string }>();
    const signed = (request: InjectRequest) =>
      app.inject({ ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } });
    return { id, signed };
  };
  return { app, addPerson };
}

describe("the todos example", () => {
  it("version 1: anyone reads, a person writes", async (t) => {
    const { app, addPerson } = await startExample(t);
    assert.equal(
      (await app.inject({ method: "POST", url: "/api/v1/todos", body: { title: "x" } })).status,
      401,
    );
    const ada = await addPerson("Ada");
    const created = await ada.signed({ method: "POST", url: "/api/v1/todos", body: { title: " Write " } });
    assert.equal(created.status, 201);
    const { id } = created.json<{ id: string }>();
    assert.deepEqual((await app.inject({ url: "/api/v1/todos" })).json(), [
      { id, title: "Write", done: false },
    ]);
    await ada.signed({ method: "PUT", url: `/api/v1/todos/${id}`, body: { title: "Rewrite", done: true } });
    assert.deepEqual((await app.inject({ url: `/api/v1/todos/${id}` })).json(), {
      id,
      title: "Rewrite",
      done: true,
    });
    assert.equal((await ada.signed({ method: "DELETE", url: `/api/v1/todos/${id}` })).status, 204);
    assert.equal((await app.inject({ url: `/api/v1/todos/${id}` })).status, 404);
  });

  it("version 2: pages, search, partial changes of one's own", async (t) => {
    const { app, addPerson } = await startExample(t);
    const ada = await addPerson("Ada");
    const bob = await addPerson("Bob");
    const due = "2027-01-01T00:00:00.000Z";
    const created = await ada.signed({ method: "POST", url: "/api/v2/todos", body: { title: "Plan", due } });
    const { id } = created.json<{ id: string }>();
    assert.equal(
      (await bob.signed({ method: "PATCH", url: `/api/v2/todos/${id}`, body: { done: true } })).status,
      403,
    );
    const changed = await ada.signed({ method: "PATCH", url: `/api/v2/todos/${id}`, body: { done: true } });
    assert.partialDeepStrictEqual(changed.json(), { id, owner: ada.id, title: "Plan", done: true, due });
    const found = await app.inject({ url: "/api/v2/todos?q=Pla&done=true&perPage=500" });
    assert.partialDeepStrictEqual(found.json(), { page: 1, perPage: 100, totalItems: 1, items: [{ id }] });
    assert.equal((await app.inject({ url: "/api/v2/todos?page=0" })).status, 400);
    const invalid = await ada.signed({ method: "POST", url: "/api/v2/todos", body: { title: "" } });
    assert.equal(invalid.json<{ data: { title: { code: string } } }>().data.title.code, "invalid");
  });

  it("version 2: a file comes in, a table goes out", async (t) => {
    const { app, addPerson } = await startExample(t);
    const ada = await addPerson("Ada");
    const body = new FormData();
    body.set("file", new File(['one\n\ntwo "quoted"\n'], "todos.txt"));
    assert.deepEqual((await ada.signed({ method: "POST", url: "/api/v2/todos/import", body })).json(), {
      imported: 2,
    });
    const table = await app.inject({ url: "/api/v2/todos/export" });
    assert.match(table.body, /^id,done,title\n.*,false,"one"\n.*,false,"two ""quoted"""\n$/);
    assert.deepEqual((await app.inject({ url: "/api/v2/statistics" })).json(), {
      open: 2,
      done: 0,
      archived: 0,
    });
  });

  it("only a superuser tidies up", async (t) => {
    const { app, addPerson } = await startExample(t);
    const request = { method: "POST", url: "/api/v2/housekeeping/archive" };
    assert.equal((await app.inject(request)).status, 401);
    assert.equal((await (await addPerson("Ada")).signed(request)).status, 403);
    await app.superusers.create("root@example.com", "correct horse");
    const login = await app.inject({
      method: "POST",
      url: "/api/collections/_superusers/auth-with-password",
      body: { identity: "root@example.com", password: "correct horse" },
    });
    const { token } = login.json<{ token: string }>();
    const response = await app.inject({ ...request, headers: { authorization: token } });
    assert.deepEqual(response.json(), { archived: 0 });
  });

  describe("its pages", () => {
    for (const url of ["/", "/about"]) {
      it(`${url} runs nothing but the example's own files`, async (t) => {
        const { app } = await startExample(t);
        const { status, headers, body } = await app.inject({ url });
        assert.equal(status, 200);
        assert.match(String(headers["content-type"]), /^text\/html/);
        assert.match(String(headers["content-security-policy"]), /default-src 'none'; script-src 'self'/);
        assert.doesNotMatch(body, /<style|<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=/);
        for (const [, file] of body.matchAll(/"(\/site\/[^"]+)"/g))
          assert.equal((await app.inject({ url: file! })).status, 200, file);
      });
    }

    it("have no other files", async (t) => {
      const { app } = await startExample(t);
      for (const file of ["nothing.js", "home.html", "constructor"])
        assert.equal((await app.inject({ url: `/site/${file}` })).status, 404, file);
    });

    it("have routes that are slow, and that fail and tell only the developer why", async (t) => {
      const { app } = await startExample(t);
      t.mock.method(Math, "random", () => 0);
      assert.deepEqual((await app.inject({ url: "/demo/slow" })).json(), { waited_ms: 200 });
      const fail = (host: string) => app.inject({ method: "POST", url: "/demo/fail", headers: { host } });
      const failed = await fail("todos.example.com");
      assert.equal(failed.status, 500);
      assert.doesNotMatch(failed.body, /button/);
      assert.match((await fail("localhost:8090")).body, /button/);
    });
  });

  describe("its jobs", () => {
    async function finish(app: App, id: string): Promise<Run> {
      const { id: runId } = await app.jobs.run(id);
      return ended(app, runId);
    }
    const ended = (app: App, runId: string): Promise<Run> =>
      until(
        `run ${runId} ends`,
        () => app.jobs.findRun(runId),
        ({ status }) => status !== "running",
      );
    const messagesOf = ({ output }: Run) =>
      (JSON.parse(output) as { message: string }[]).map(({ message }) => message);

    it("count what there is, and archive what is old with progress", async (t) => {
      const { app, addPerson } = await startExample(t);
      const { id: owner } = await addPerson("Ada");
      const tables = (await app.database()).tables<Tables>();
      const old = Array.from({ length: 250 }, (_, index) => ({
        id: `old${index}`,
        owner,
        title: "Long done",
        done: 1,
        due: null,
        created: 0,
        archived: 0,
      }));
      await tables.insertInto("todos").values(old).execute();
      assert.deepEqual(messagesOf(await finish(app, "count")), ["0 open, 250 done, 0 archived"]);
      assert.deepEqual(messagesOf(await finish(app, "archive")), [
        "Searching for old todos",
        "40%",
        "80%",
        "100%",
        "Archived 250 todos",
      ]);
    });

    it("remind of what is overdue, unless the mail server is away", async (t) => {
      const { app, addPerson } = await startExample(t);
      const ada = await addPerson("Ada");
      await ada.signed({
        method: "POST",
        url: "/api/v2/todos",
        body: { title: "Write", due: "2020-01-01T00:00:00Z" },
      });
      const { mock } = t.mock.method(Math, "random", () => 0.9);
      assert.deepEqual(messagesOf(await finish(app, "remind")), [
        "Overdue: 1",
        `Reminded ${ada.id} of "Write"`,
        "All reminders sent",
      ]);
      mock.mockImplementation(() => 0.1);
      const failed = await finish(app, "remind");
      assert.equal(failed.status, "failed");
      assert.equal(messagesOf(failed).at(-1), "The mail server does not respond");
    });

    it("fail to import one time in three", async (t) => {
      const { app } = await startExample(t);
      const { mock } = t.mock.method(Math, "random", () => 0.9);
      assert.equal((await finish(app, "import")).status, "success");
      mock.mockImplementation(() => 0.1);
      const failed = await finish(app, "import");
      assert.equal(failed.status, "failed");
      assert.equal(messagesOf(failed).at(-1), "The import service returned 502 Bad Gateway");
    });

    it("back up until done or cancelled", async (t) => {
      const { app } = await startExample(t);
      const { id } = await app.jobs.run("backup");
      await app.jobs.cancel(id, { actor: "Ada" });
      assert.deepEqual(messagesOf(await ended(app, id)), ["Cancelled by Ada"]);
    });
  });
});
