import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import {
  bodyLimit,
  type Handler,
  type Middleware,
  type RequestEvent,
  requireAuth,
  requireSuperuserAuth,
} from "../src/index.ts";

/**
 * Mistakes that do not compile: `npm run types` fails if one of them does. Where types are not checked, they fail with
 * 500, and nothing is served that should be protected.
 */
test("a returned value and uncalled middleware do not compile", async (t) => {
  const app = createTestApp(t);
  const ok = (e: RequestEvent) => e.text(200, "ok");
  app.onServe(({ router }) => {
    // @ts-expect-error: a returned object is not sent
    router.get("/object", () => ({ ok: true }));
    // @ts-expect-error: nor is one from an async function
    router.get("/async", async () => ({ ok: true }));
    // @ts-expect-error: nor is a list
    router.get("/list", () => [1, 2]);
    // @ts-expect-error: nor is text
    router.get("/text", async () => "hello");
    router.crud("things", {
      // @ts-expect-error: nor is the result of a handler of a resource
      list: () => ({ items: [] }),
    });
    // @ts-expect-error: requireAuth is not called
    router.get("/uncalled", ok).bind(requireAuth);
    // @ts-expect-error: requireSuperuserAuth is not called
    router.get("/uncalled-superuser", ok).bind(requireSuperuserAuth);
    // @ts-expect-error: bodyLimit is not called
    router.post("/uncalled-limit", ok).bindFunc(bodyLimit);
    const guarded = router.setPrefix("/guarded");
    // @ts-expect-error: requireAuth is not called
    guarded.bind(requireAuth);
    guarded.get("/x", ok);
    // @ts-expect-error: the middleware of a resource is not called
    router.crud("doors", { create: ok }, requireAuth);
  });
  const urls = ["/object", "/async", "/list", "/text", "/things"];
  urls.push("/uncalled", "/uncalled-superuser", "/guarded/x");
  for (const url of urls) assert.equal((await app.inject({ url })).status, 500, url);
  for (const url of ["/uncalled-limit", "/doors"])
    assert.equal((await app.inject({ method: "POST", url })).status, 500, url);
});

test("everything that a handler may return compiles", async (t) => {
  const app = createTestApp(t);
  const named: Handler = (e) => e.json(200, { named: true });
  const wrap =
    (inner: (e: RequestEvent, user: string) => unknown): Handler =>
    (e) =>
      inner(e, "ada");
  const timed: Middleware = {
    async func(e) {
      await e.next();
    },
  };
  app.onServe(({ router }) => {
    router.bind(timed, (e) => e.next());
    router.get("/named", named);
    router.get(
      "/wrapped",
      wrap((e, user) => e.text(200, user)),
    );
    router.get("/async", async (e) => e.json(200, { a: 1 }));
    router.get("/several", (e) => (e.query("a") ? e.noContent() : e.json(200, [])));
    router.get("/early", async (e) => {
      if (e.query("a")) return;
      e.text(200, "early");
    });
    router.get("/void", (e) => {
      e.text(200, "void");
    });
    router.get("/voided", (e) => void e.text(200, "voided"));
    router.get("/never", () => {
      throw new Error("never");
    });
    router.get(
      "/promise",
      (e) => new Promise((resolve) => setImmediate(() => resolve(e.text(200, "promise")))),
    );
    router.get("/node", (e) => e.response.writeHead(200).end("node"));
    router.crud("things", { list: named, get: (e) => e.text(200, e.pathValue("id")) }, requireAuth());
  });
  const urls = [
    "/named",
    "/wrapped",
    "/async",
    "/several",
    "/early",
    "/void",
    "/voided",
    "/promise",
    "/node",
    "/things",
  ];
  for (const url of urls) assert.equal((await app.inject({ url })).status, 200, url);
});

test("an Express-style path names the form to write", async (t) => {
  const app = createTestApp(t);
  app.onServe(({ router }) => {
    router.get("/a/:id", (e) => e.noContent());
  });
  await assert.rejects(app.inject({ url: "/" }), {
    message: 'Invalid segment ":id" in the route path "/a/:id": write {id} for a path value.',
  });
});
