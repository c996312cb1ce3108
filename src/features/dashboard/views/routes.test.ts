import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { authMigrations } from "../../../auth/index.ts";
import { createOwnedServer } from "../../../auth/testing/server.ts";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import type { Engine } from "../../../storage/index.ts";
import { engines, openTestDatabase } from "../../../storage/testing/test-database.ts";
import { type DashboardTables, dashboardMigrations } from "../tables.ts";
import type { SavedView, SavedViewList } from "../wire.ts";
import { mountViews } from "./routes.ts";
import { createViewStore } from "./store.ts";

const start = Date.parse("2026-03-01T12:00:00Z");

async function createSite(t: TestContext, engine: Engine = "sqlite") {
  const store = await openTestDatabase(t, engine, authMigrations, dashboardMigrations);
  const clock = new FakeClock(start);
  const views = createViewStore(async () => store, clock);
  const hasPage = async (name: string) => name === "logs" || name === "requests";
  const { inject, token, auth } = await createOwnedServer(t, {
    store,
    routes: ({ routes }) => mountViews(routes.router("Annex"), { store: views, hasPage }),
  });
  auth.resolveWith((e) => (e.header("x-api-key") === "robot" ? { id: "robot-7" } : null));
  const authorization = `Bearer ${token}`;
  const send = (method: string, path = "", body?: unknown) =>
    inject({ method, url: `/_/_/data/views${path}`, headers: { authorization }, body });
  const list = async () => (await send("GET")).json<SavedViewList>().views;
  const save = async (name: string, address = "/_/_/logs?range=1h") =>
    (await send("POST", "", { name, address })).json<SavedView>();
  return { inject, send, list, save, views, clock, store, auth };
}

const address = "/_/_/logs?range=1h&q=level%3Aerror";

describe("the routes of saved views", () => {
  for (const engine of engines) {
    it(`list, create, replace, rename and delete on ${engine}`, async (t) => {
      const { send, list, clock } = await createSite(t, engine);
      assert.deepEqual(await list(), []);
      const created = await send("POST", "", { name: "  Nightly errors ", address });
      assert.equal(created.status, 201);
      const view = created.json<SavedView>();
      assert.match(view.id, /^[a-z0-9]{15}$/);
      const times = { created: start, updated: start };
      assert.deepEqual(view, { id: view.id, name: "Nightly errors", address, ...times });
      assert.deepEqual(await list(), [view]);

      clock.advance(1_000);
      const replacement = { name: "NIGHTLY errors", address: "/_/_?range=6h", replace: true };
      const replaced = await send("POST", "", replacement);
      assert.equal(replaced.status, 200);
      const expected = { ...view, name: "NIGHTLY errors", address: "/_/_?range=6h", updated: start + 1_000 };
      assert.deepEqual(replaced.json(), expected);

      const renamed = await send("PATCH", `/${view.id}`, { name: "Errors", address: "/_/_/ignored" });
      assert.deepEqual([renamed.status, renamed.json()], [200, { ...expected, name: "Errors" }]);
      assert.deepEqual(await list(), [{ ...expected, name: "Errors" }]);

      assert.equal((await send("DELETE", `/${view.id}`)).status, 204);
      assert.deepEqual(await list(), []);
      for (const [method, body] of [["DELETE"], ["PATCH", { name: "Again" }]] as const) {
        const gone = await send(method, `/${view.id}`, body);
        assert.equal(gone.status, 404);
        assert.equal(gone.json<{ message: string }>().message, `You have no saved view "${view.id}".`);
      }
    });

    it(`allow a name once, in any case, on ${engine}`, async (t) => {
      const { send, list, save } = await createSite(t, engine);
      const first = await save("Übersicht");
      const second = await save("Other");
      for (const [method, path] of [
        ["POST", ""],
        ["PATCH", `/${second.id}`],
      ] as const) {
        // The name is written with a combining character here.
        const refused = await send(method, path, { name: "U\u0308BERSICHT", address });
        assert.equal(refused.status, 409);
        const { message, data } = refused.json<{ message: string; data: object }>();
        assert.equal(message, 'You already have a saved view named "ÜBERSICHT".');
        assert.deepEqual(data, { name: { code: "not_unique", message } });
      }
      assert.equal((await send("PATCH", `/${first.id}`, { name: "ÜBERSICHT" })).status, 200);
      assert.deepEqual(
        (await list()).map(({ name }) => name),
        ["Other", "ÜBERSICHT"],
      );
    });

    it(`limit a superuser to 100 views, even if they are saved at the same time, on ${engine}`, async (t) => {
      const { send, list, save } = await createSite(t, engine);
      for (let count = 0; count < 95; count++) await save(`View ${count}`);
      const statuses = await Promise.all(
        Array.from({ length: 10 }, async (_, count) => {
          const { status } = await send("POST", "", { name: `More ${count}`, address });
          return status;
        }),
      );
      assert.deepEqual(statuses.toSorted(), [...Array(5).fill(201), ...Array(5).fill(409)]);
      const refused = await send("POST", "", { name: "One more", address, replace: true });
      assert.equal(
        refused.json<{ message: string }>().message,
        "You have 100 saved views, which is the limit. Delete one first.",
      );
      // A view that exists can be replaced and renamed.
      assert.equal((await send("POST", "", { name: "view 7", address, replace: true })).status, 200);
      const [{ id }] = (await list()) as [SavedView];
      assert.equal((await send("PATCH", `/${id}`, { name: "Renamed" })).status, 200);
      assert.equal((await list()).length, 100);
    });

    it(`lose the views with their superuser, and only these, on ${engine}`, async (t) => {
      const { auth, store, views, list, save } = await createSite(t, engine);
      const bob = await auth.superusers.create("bob@example.com", "a loom with punched cards");
      const kept = await save("Kept");
      await views.save(bob.id, { name: "Gone", address });
      await auth.superusers.remove("bob@example.com");
      const rows = await store
        .tables<DashboardTables>()
        .selectFrom("annex_saved_views")
        .selectAll()
        .execute();
      assert.deepEqual(
        rows.map(({ id }) => id),
        [kept.id],
      );
      assert.deepEqual(await list(), [kept]);
      await assert.rejects(views.save(bob.id, { name: "Late", address }), /does not exist/);
    });

    it(`accept the longest and strangest valid values on ${engine}`, async (t) => {
      const { send, list } = await createSite(t, engine);
      const strange = [
        "👩‍💻".repeat(16) + "x".repeat(32),
        "'; drop table annex_superusers; --",
        "<b>שלום</b>",
      ];
      const long = `/_/_/requests?q=${"'%22".repeat(994)}`.slice(0, 4_000);
      for (const name of strange) {
        assert.equal((await send("POST", "", { name, address: long })).status, 201, name);
      }
      const found = await list();
      assert.deepEqual(found.map(({ name }) => name).toSorted(), strange.toSorted());
      assert.ok(found.every((view) => view.address === long));
    });
  }

  const bad: readonly (readonly [what: string, body: object, fields: string[]])[] = [
    ["nothing", {}, ["name", "address"]],
    ["a list", [], ["name", "address"]],
    ["an empty name", { name: "  ", address }, ["name"]],
    ["a name of invisible characters", { name: "\u200b\u2060", address }, ["name"]],
    ["a name of another type", { name: 7, address }, ["name"]],
    ["a name that is too long", { name: "x".repeat(81), address }, ["name"]],
    ["a name of two lines", { name: "a\nb", address }, ["name"]],
    ["a null character", { name: "a\u0000b", address }, ["name"]],
    ["half a character", { name: "a\ud800b", address }, ["name"]],
    ["no address", { name: "a" }, ["address"]],
    ["an address of another origin", { name: "a", address: "https://evil.example/_/_" }, ["address"]],
    ["a script", { name: "a", address: "javascript:alert(1)" }, ["address"]],
    ["a route that is not a page", { name: "a", address: "/_/_/metrics" }, ["address"]],
    ["an address that is too long", { name: "a", address: `/_/_?q=${"x".repeat(4_000)}` }, ["address"]],
    ["replace of another type", { name: "a", address, replace: "yes" }, ["replace"]],
  ];
  for (const [what, body, fields] of bad) {
    it(`refuse ${what}`, async (t) => {
      const { send, list, save } = await createSite(t);
      const refused = await send("POST", "", body);
      assert.equal(refused.status, 400);
      assert.deepEqual(Object.keys(refused.json<{ data: object }>().data), fields);
      assert.deepEqual(await list(), []);
      if (!fields.includes("name")) return;
      const { id } = await save("Kept");
      assert.equal((await send("PATCH", `/${id}`, body)).status, 400);
      assert.equal((await list())[0]!.name, "Kept");
    });
  }

  it("refuse a body that is too large or missing", async (t) => {
    const { send } = await createSite(t);
    const large = await send("POST", "", { name: "x".repeat(40_000), address });
    assert.equal(large.status, 413);
    assert.equal((await send("POST")).status, 400);
  });

  for (const id of ["x", "x".repeat(15), "%F0%9F%98%80", "X".repeat(500)]) {
    it(`know no view ${id.slice(0, 20)}`, async (t) => {
      const { send } = await createSite(t);
      assert.equal((await send("DELETE", `/${id}`)).status, 404);
      assert.equal((await send("PATCH", `/${id}`, { name: "a" })).status, 404);
    });
  }

  it("are for superusers and never cached", async (t) => {
    const { inject, send } = await createSite(t);
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["PATCH", "/abc"],
      ["DELETE", "/abc"],
    ] as const) {
      const url = `/_/_/data/views${path}`;
      assert.equal((await inject({ method, url })).status, 401);
      assert.equal((await inject({ method, url, headers: { "x-api-key": "robot" } })).status, 403);
    }
    assert.equal((await send("GET")).headers["cache-control"], "no-store");
  });

  it("return the address of the overview for one that is not of the dashboard", async (t) => {
    const { store, list, save } = await createSite(t);
    const { id } = await save("Changed in the database");
    const tables = store.tables<DashboardTables>();
    await tables.updateTable("annex_saved_views").set({ address: "javascript:alert(1)" }).execute();
    assert.deepEqual(
      (await list()).map((view) => [view.id, view.address]),
      [[id, "/_/_"]],
    );
  });
});
