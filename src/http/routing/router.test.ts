import assert from "node:assert/strict";
import { type RequestEvent, RouteError, type Router } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";

const methods = ["get", "post", "put", "patch", "delete"] as const;

for (const method of methods) {
  test(`router.${method} serves ${method.toUpperCase()} and nothing else`, async (t) => {
    const { inject } = await createListener(t, (router) => {
      router[method]("/thing", (e) => e.text(200, e.method));
    });
    for (const other of methods) {
      const { status, body } = await inject({ method: other.toUpperCase(), url: "/thing" });
      assert.equal(status, other === method ? 200 : 405);
      if (other === method) assert.equal(body, method.toUpperCase());
    }
  });
}

const matches: { pattern: string; url: string; values: Record<string, string> | null }[] = [
  { pattern: "/", url: "/", values: {} },
  { pattern: "/a/{id}", url: "/a/7", values: { id: "7" } },
  { pattern: "/a/{id}", url: "/a/7?x=1", values: { id: "7" } },
  { pattern: "/a/{id}", url: "/a/7/", values: null },
  { pattern: "/a/{id}", url: "/a/", values: null },
  { pattern: "/a/{id}/b", url: "/a//b", values: null },
  { pattern: "/a/{id}/{rest...}", url: "/a//x", values: null },
  { pattern: "/a//{id}", url: "/a//x", values: { id: "x" } },
  { pattern: "/a//{id}", url: "/a//", values: null },
  { pattern: "/a/{id}", url: "/a/7/b", values: null },
  { pattern: "/a/{id}", url: "/A/7", values: null },
  { pattern: "/a/{id}", url: "/a/caf%C3%A9%20x", values: { id: "café x" } },
  { pattern: "/a/{id}", url: "/a/x%2Fy", values: { id: "x/y" } },
  { pattern: "/a/{id}", url: "/a/100%25", values: { id: "100%" } },
  { pattern: "/a/{id}", url: "/a/{id}", values: { id: "{id}" } },
  { pattern: "/a/{one}/{two}", url: "/a/1/2", values: { one: "1", two: "2" } },
  {
    pattern: "/a/{b}/{c}/{d}/{e}/{f}",
    url: "/a/1/2/3/4/5",
    values: { b: "1", c: "2", d: "3", e: "4", f: "5" },
  },
  { pattern: "/a/{rest...}", url: "/a/b/c/d", values: { rest: "b/c/d" } },
  { pattern: "/a/{rest...}", url: "/a/b%2Fc", values: { rest: "b/c" } },
  { pattern: "/a/{rest...}", url: "/a/", values: { rest: "" } },
  { pattern: "/a/{rest...}", url: "/a", values: null },
  { pattern: "/a/{id}/{rest...}", url: "/a/1/x/y", values: { id: "1", rest: "x/y" } },
  { pattern: "/{rest...}", url: "/", values: { rest: "" } },
  { pattern: "/{rest...}", url: "//x//", values: { rest: "/x//" } },
  { pattern: "/:", url: "/:", values: {} },
  { pattern: "/:", url: "/7", values: null },
  { pattern: "/12:30", url: "/12:30", values: {} },
  { pattern: "/café", url: "/caf%C3%A9", values: {} },
  { pattern: "/{__proto__}", url: "/x", values: { ["__proto__"]: "x" } },
  { pattern: "/{constructor}", url: "/x", values: { constructor: "x" } },
];

for (const { pattern, url, values } of matches) {
  test(`${pattern} ${values ? "matches" : "does not match"} ${url}`, async (t) => {
    let seen: unknown;
    const { inject } = await createListener(t, (router) => {
      router.get(pattern, (e) => {
        seen = Object.fromEntries(e.route.pattern.names.map((name) => [name, e.pathValue(name)]));
        return e.noContent();
      });
    });
    const { status } = await inject(url);
    assert.equal(status, values ? 204 : 404);
    if (values) assert.deepEqual(Object.entries(seen as object), Object.entries(values));
  });
}

test("static segments win over {name}, and {name} wins over {rest...}, in any order of registration", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.get("/{rest...}", (e) => e.text(200, "rest"));
    router.get("/{name}", (e) => e.text(200, "name"));
    router.get("/exact", (e) => e.text(200, "exact"));
  });
  assert.equal((await inject("/exact")).body, "exact");
  assert.equal((await inject("/other")).body, "name");
  assert.equal((await inject("/other/deeper")).body, "rest");
});

test("a value is never empty, so that a request for one item cannot match the whole list", async (t) => {
  const { inject, facts } = await createListener(t, (router, listener) => {
    listener.identifyWith(() => ({ id: "ada" }));
    router.crud("todos", { delete: ok, get: ok });
    router.get("/todos/{rest...}", (e) => e.text(200, `${e.auth?.id} rest:${e.pathValue("rest")}`));
  });
  const { status, headers } = await inject({ method: "DELETE", url: "/todos/" });
  assert.deepEqual([status, headers.allow], [405, "GET, HEAD, OPTIONS"]);
  assert.equal((await inject({ method: "DELETE", url: "/todos/a%2Fb" })).status, 200);
  assert.equal(
    (await inject({ method: "POST", url: "/todos/a%2Fb" })).headers.allow,
    "DELETE, GET, HEAD, OPTIONS",
  );
  // Another pattern that does match gets the request.
  assert.equal((await inject("/todos/")).body, "ada rest:");
  assert.equal(facts.items.at(-1)?.route, "/todos/{rest...}");
});

test("path values are known as types where the route is written inline", async (t) => {
  const { inject, failures } = await createListener(t, (router) => {
    router.get("/users/{id}/{rest...}", (e) => e.json(200, [e.pathValue("id"), e.pathValue("rest")]));
    // @ts-expect-error: the pattern has no {nope}
    router.get("/wrong/{id}", (e) => e.text(200, e.pathValue("nope")));
    // @ts-expect-error: the pattern has no values at all
    router.get("/none", (e) => e.text(200, e.pathValue("id")));
    const team = router.setPrefix("/teams/{team}").setPrefix("/rooms/{room}");
    team.post("/{id}", (e) => e.json(200, [e.pathValue("team"), e.pathValue("room"), e.pathValue("id")]));
    // @ts-expect-error: neither a prefix nor the pattern has {nope}
    team.post("/wrong/{id}", (e) => e.text(200, e.pathValue("nope")));
    // @ts-expect-error: middleware of a route knows them too
    router.get("/bound/{id}", (e) => e.noContent()).bindFunc((e) => e.pathValue("nope"));
    team.crud("chairs", {
      get: (e) => e.json(200, [e.pathValue("team"), e.pathValue("room"), e.pathValue("id")]),
      // @ts-expect-error: the list of a resource has no {id}
      list: (e) => e.text(200, e.pathValue("id")),
      // @ts-expect-error: nothing has {nope}
      delete: (e) => e.text(200, e.pathValue("nope")),
    });
    const pattern: string = "/dynamic/{id}";
    router.get(pattern, (e) => e.text(200, e.pathValue("id")));
    const handler = (e: RequestEvent) => e.text(200, e.pathValue("id"));
    router.get("/elsewhere/{id}", handler);
  });
  assert.deepEqual((await inject("/users/7/a/b")).json(), ["7", "a/b"]);
  assert.deepEqual((await inject({ method: "POST", url: "/teams/a/rooms/b/c" })).json(), ["a", "b", "c"]);
  assert.deepEqual((await inject("/teams/a/rooms/b/chairs/c")).json(), ["a", "b", "c"]);
  assert.equal((await inject("/dynamic/7")).body, "7");
  assert.equal((await inject("/elsewhere/7")).body, "7");
  for (const url of ["/wrong/7", "/none", "/bound/7", "/teams/a/rooms/b/chairs"]) {
    assert.equal((await inject(url)).status, 500, url);
  }
  assert.match(String(failures.items[0]?.error), /The route \/wrong\/\{id\} has no path value "nope"/);
});

const prefixes: { name: string; register: (router: Router) => void; url: string }[] = [
  { name: "a prefix", register: (r) => r.setPrefix("/api").get("/x", ok), url: "/api/x" },
  {
    name: "prefixes in prefixes",
    register: (r) => r.setPrefix("/a").setPrefix("/b").get("/c", ok),
    url: "/a/b/c",
  },
  { name: "a prefix without slashes", register: (r) => r.setPrefix("api").get("x", ok), url: "/api/x" },
  {
    name: "a prefix that ends in a slash",
    register: (r) => r.setPrefix("/api/").get("/x", ok),
    url: "/api/x",
  },
  { name: "the prefix itself, written /", register: (r) => r.setPrefix("/api").get("/", ok), url: "/api" },
  {
    name: "the prefix itself, written as nothing",
    register: (r) => r.setPrefix("/api").get("", ok),
    url: "/api",
  },
  { name: "an empty prefix", register: (r) => r.setPrefix("").get("/x", ok), url: "/x" },
  { name: "the prefix /", register: (r) => r.setPrefix("/").get("/x", ok), url: "/x" },
];

function ok(e: RequestEvent): unknown {
  return e.text(200, "ok");
}

for (const { name, register, url } of prefixes) {
  test(`${name} leads to ${url}`, async (t) => {
    const { inject } = await createListener(t, register);
    assert.equal((await inject(url)).body, "ok");
  });
}

test("crud registers the six routes of the contract, with middleware on the four that write", async (t) => {
  const respond = (name: string) => (e: RequestEvent) =>
    e.json(200, { name, guarded: e.get("guarded") ?? 0 });
  const guard = (e: RequestEvent) => {
    e.set("guarded", (e.get<number>("guarded") ?? 0) + 1);
    return e.next();
  };
  const { inject, listener } = await createListener(t, (router) => {
    router.setPrefix("/api/v1").crud(
      "todos",
      {
        list: respond("list"),
        create: respond("create"),
        get: (e) => e.json(200, { name: `get ${e.pathValue("id")}`, guarded: e.get("guarded") ?? 0 }),
        update: respond("update"),
        patch: respond("patch"),
        delete: respond("delete"),
      },
      guard,
      { func: guard },
    );
  });
  const rows = [
    ["GET", "/api/v1/todos", "list", 0],
    ["POST", "/api/v1/todos", "create", 2],
    ["GET", "/api/v1/todos/7", "get 7", 0],
    ["PUT", "/api/v1/todos/7", "update", 2],
    ["PATCH", "/api/v1/todos/7", "patch", 2],
    ["DELETE", "/api/v1/todos/7", "delete", 2],
  ] as const;
  for (const [method, url, name, guarded] of rows) {
    assert.deepEqual((await inject({ method, url })).json(), { name, guarded }, `${method} ${url}`);
  }
  assert.equal(listener.routes.routes.length, 6);
});

test("a handler left out of the set gets no route", async (t) => {
  const { inject, listener } = await createListener(t, (router) => {
    router.crud("todos", { list: ok, update: undefined as never, delete: ok });
  });
  assert.deepEqual(
    listener.routes.routes.map(({ method, pattern }) => `${method} ${pattern.text}`),
    ["GET /todos", "DELETE /todos/{id}"],
  );
  const { status, headers } = await inject({ method: "POST", url: "/todos" });
  assert.deepEqual([status, headers.allow], [405, "GET, HEAD, OPTIONS"]);
  assert.equal((await inject({ method: "PUT", url: "/todos/7" })).status, 405);
});

test("the handlers of a resource can be methods of an object with other members", async (t) => {
  class Notes {
    readonly rows = ["one"];
    list = (e: RequestEvent) => e.json(200, this.rows);
  }
  const { inject } = await createListener(t, (router) => router.crud("notes", new Notes()));
  assert.deepEqual((await inject("/notes")).json(), ["one"]);
});

test("the resource name is used as given", async (t) => {
  const { inject } = await createListener(t, (router) => router.crud("To_do-Items.v2", { list: ok }));
  assert.equal((await inject("/To_do-Items.v2")).status, 200);
  assert.equal((await inject("/to_do-items.v2")).status, 404);
});

const refusals: { name: string; register: (router: Router) => unknown; message: string | RegExp }[] = [
  {
    name: "a duplicate",
    register: (r) => [r.get("/a", ok), r.get("/a", ok)],
    message:
      /^The route GET \/a cannot be registered at src\/http\/routing\/router\.test\.ts:\d+:\d+: the application has already registered GET \/a/,
  },
  {
    name: "a duplicate whose values have other names",
    register: (r) => [r.get("/a/{id}", ok), r.setPrefix("/a").get("{name}", ok)],
    message:
      /^The route GET \/a\/\{name\} cannot be registered at src\/http\/routing\/router\.test\.ts:\d+:\d+: the application has already registered GET \/a\/\{id\}/,
  },
  {
    name: "a duplicate of a crud route",
    register: (r) => [r.crud("a", { get: ok }), r.get("/a/{x}", ok)],
    message:
      /^The route GET \/a\/\{x\} cannot be registered at src\/http\/routing\/router\.test\.ts:\d+:\d+: the application has already registered GET \/a\/\{id\}/,
  },
  {
    name: "a duplicate of a built-in route",
    register: (r) => void r.get("/built-in", ok),
    message:
      /^The route GET \/built-in cannot be registered at src\/http\/routing\/router\.test\.ts:\d+:\d+: Annex has already registered GET \/built-in/,
  },
  {
    name: "a reserved prefix",
    register: (r) => void r.get("/api/cron", ok),
    message:
      /^The route GET \/api\/cron cannot be registered at src\/http\/routing\/router\.test\.ts:\d+:\d+: the prefix \/api\/cron is reserved for Annex/,
  },
  {
    name: "a path below a reserved prefix",
    register: (r) => void r.setPrefix("/api").delete("/cron/jobs/{id}", ok),
    message:
      /^The route DELETE \/api\/cron\/jobs\/\{id\} cannot be registered at src\/http\/routing\/router\.test\.ts:\d+:\d+: the prefix \/api\/cron is reserved for Annex/,
  },
  {
    name: "a rest below a reserved prefix",
    register: (r) => void r.post("/api/cron/{rest...}", ok),
    message:
      /^The route POST \/api\/cron\/\{rest\.\.\.\} cannot be registered at src\/http\/routing\/router\.test\.ts:\d+:\d+: the prefix \/api\/cron is reserved for Annex/,
  },
  {
    name: "an invalid handler",
    register: (r) => void r.get("/a", undefined as never),
    message: "The handler of route GET /a must be a function.",
  },
  {
    name: "invalid middleware",
    register: (r) => void r.get("/a", ok).bind(undefined as never),
    message: "Middleware must be a function, or an object whose func is a function.",
  },
  {
    name: "middleware without a function",
    register: (r) => r.bind({ id: "x" } as never),
    message: "Middleware must be a function, or an object whose func is a function.",
  },
  {
    name: "an unknown handler of a resource",
    register: (r) => r.crud("notes", { List: ok, get: ok } as never),
    message:
      'The resource "notes" has no handler "List". It has list, create, get, update, patch and delete.',
  },
  {
    name: "a resource without handlers",
    register: (r) => r.crud("notes", undefined as never),
    message: 'The handlers of the resource "notes" must be an object.',
  },
  {
    name: "an unknown option of a WebSocket",
    register: (r) => r.upgrade("/echo", () => {}, { origin: "*" } as never),
    message: /^The WebSocket \/echo has no option "origin"\. It has origins, maxMessageBytes/,
  },
  {
    name: "a path that is not a string",
    register: (r) => void r.get(undefined as never, ok),
    message: "A route path must be a string such as /users/{id}, got undefined.",
  },
];

for (const { name, register, message } of refusals) {
  test(`${name} is refused when it is registered`, async (t) => {
    await assert.rejects(
      createListener(t, (router, { routes }) => {
        routes.reserve("/api/cron", "Annex");
        routes.router("Annex").get("/built-in", ok);
        register(router);
      }),
      { constructor: RouteError, message },
    );
  });
}

test("what only begins like a reserved prefix is free", async (t) => {
  const { inject } = await createListener(t, (router, { routes }) => {
    routes.reserve("/api/cron", "Annex");
    router.get("/api/cronies", ok);
    router.get("/api", ok);
  });
  assert.equal((await inject("/api/cronies")).status, 200);
});

test("a route or middleware that comes after the server is ready is refused, because it would never run", async (t) => {
  let late!: Router;
  let chain!: ReturnType<Router["get"]>;
  await createListener(t, (router) => {
    late = router;
    chain = router.get("/a", ok);
  });
  const message = /the server is ready/;
  assert.throws(() => late.get("/late", ok), { constructor: RouteError, message });
  assert.throws(() => late.bindFunc(ok), { constructor: RouteError, message });
  assert.throws(() => late.setPrefix("/x").bindFunc(ok), { constructor: RouteError, message });
  assert.throws(() => chain.bindFunc(ok), { constructor: RouteError, message });
});
