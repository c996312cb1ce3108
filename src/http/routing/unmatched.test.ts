import assert from "node:assert/strict";
import type { ErrorBody, RequestEvent, RootRouter } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";

function ok(e: RequestEvent): unknown {
  return e.text(200, "ok");
}

function registerTodos(router: RootRouter): void {
  router.get("/todos/{id}", (e) => e.json(200, { id: e.pathValue("id") }));
  router.put("/todos/{id}", ok);
  router.delete("/todos/{id}", ok);
  router.post("/todos", ok);
  router.get("/files/{rest...}", ok);
}

const rows: { method: string; url: string; status: number; allow?: string }[] = [
  { method: "GET", url: "/nothing", status: 404 },
  { method: "GET", url: "/todos/1/2", status: 404 },
  { method: "GET", url: "/todos/1/", status: 404 },
  { method: "OPTIONS", url: "/nothing", status: 404 },
  { method: "HEAD", url: "/nothing", status: 404 },
  { method: "POST", url: "/todos/1", status: 405, allow: "DELETE, GET, HEAD, PUT, OPTIONS" },
  { method: "PATCH", url: "/todos/1?x=1", status: 405, allow: "DELETE, GET, HEAD, PUT, OPTIONS" },
  { method: "GET", url: "/todos", status: 405, allow: "POST, OPTIONS" },
  { method: "HEAD", url: "/todos", status: 405, allow: "POST, OPTIONS" },
  { method: "TRACE", url: "/todos", status: 405, allow: "POST, OPTIONS" },
  { method: "PROPFIND", url: "/todos", status: 405, allow: "POST, OPTIONS" },
  { method: "QUERY", url: "/todos", status: 405, allow: "POST, OPTIONS" },
  { method: "POST", url: "/files/a/b", status: 405, allow: "GET, HEAD, OPTIONS" },
  { method: "OPTIONS", url: "/todos/1", status: 204, allow: "DELETE, GET, HEAD, PUT, OPTIONS" },
  { method: "OPTIONS", url: "/todos", status: 204, allow: "POST, OPTIONS" },
];

for (const { method, url, status, allow } of rows) {
  test(`${method} ${url} gets ${status}${allow ? ` and Allow: ${allow}` : ""}`, async (t) => {
    const { inject, facts } = await createListener(t, registerTodos);
    const response = await inject({ method, url });
    assert.equal(response.status, status);
    assert.equal(response.headers.allow, allow);
    if (method === "HEAD" || status === 204) {
      assert.equal(response.body, "");
    } else {
      const body = response.json<ErrorBody>();
      const path = url.split("?")[0];
      assert.deepEqual(body, {
        status,
        message:
          status === 404
            ? `No route matches ${method} ${path}.`
            : `${method} is not allowed for this path. Allowed methods: ${allow}.`,
        data: {},
        trace_id: response.headers["x-trace-id"],
      });
    }
    const [fact] = facts.items;
    assert.deepEqual([fact?.method, fact?.statusCode, fact?.route], [method, status, undefined]);
  });
}

test("a body sent to an unknown path or method does not change the response", async (t) => {
  const { inject } = await createListener(t, registerTodos);
  for (const [url, status] of [
    ["/nothing", 404],
    ["/todos/1", 405],
  ] as const) {
    for (const type of ["application/json", "text/csv", "garbage", ""]) {
      const headers = type === "" ? {} : { "content-type": type };
      const response = await inject({ method: "POST", url, body: "a,b", headers });
      assert.equal(response.status, status, `${type} to ${url}`);
    }
  }
});

const emptySegments: { method: string; url: string; status: number; body?: string; allow?: string }[] = [
  { method: "GET", url: "/a/", status: 200, body: "rest:" },
  { method: "HEAD", url: "/a/", status: 200, body: "" },
  { method: "GET", url: "/a//b", status: 200, body: "rest:/b" },
  { method: "GET", url: "/x//b", status: 200, body: "written x" },
  { method: "GET", url: "/a%2Fb//b", status: 200, body: "written a/b" },
  { method: "GET", url: "/a//c%2Fd", status: 200, body: "rest:/c/d" },
  { method: "PUT", url: "/a/", status: 405, allow: "GET, HEAD, OPTIONS" },
  { method: "POST", url: "/a/", status: 405, allow: "GET, HEAD, OPTIONS" },
  { method: "OPTIONS", url: "/a/", status: 204, body: "", allow: "GET, HEAD, OPTIONS" },
  { method: "PUT", url: "/b/", status: 404 },
  { method: "GET", url: "/own/", status: 404 },
  { method: "GET", url: "/own//b", status: 404 },
];

for (const { method, url, status, body, allow } of emptySegments) {
  test(`${method} ${url}, with an empty segment, gets ${status}`, async (t) => {
    const { inject } = await createListener(t, (router, { routes }) => {
      routes.reserve("/own", "Annex");
      routes.router("Annex").get("/own/{id}", ok);
      routes.router("Annex").get("/own/{id}/b", ok);
      router.get("/a/{id}", ok);
      router.put("/a/{id}", ok);
      router.put("/b/{id}", ok);
      router.get("/a/{id}/b", ok);
      router.get("/{a}/{id}/b", ok);
      router.get("/a/{rest...}", (e) => e.text(200, `rest:${e.pathValue("rest")}`));
      router.get("/{name}//b", (e) => e.text(200, `written ${e.pathValue("name")}`));
    });
    const response = await inject({ method, url });
    assert.deepEqual([response.status, response.headers.allow], [status, allow]);
    if (body !== undefined) assert.equal(response.body, body);
  });
}

test("HEAD gets the response of GET without the body", async (t) => {
  const { inject, facts } = await createListener(t, registerTodos);
  const head = await inject({ method: "HEAD", url: "/todos/7" });
  const get = await inject("/todos/7");
  assert.deepEqual([head.status, head.body], [200, ""]);
  assert.equal(head.headers["content-length"], String(get.body.length));
  assert.equal(head.headers["content-type"], get.headers["content-type"]);
  assert.equal(facts.items[0]?.bytesSent, 0);
});

test("OPTIONS runs the middleware of the routers, so that CORS middleware can respond", async (t) => {
  const ran: string[] = [];
  const { inject } = await createListener(t, (router) => {
    router.bindFunc((e) => {
      e.setHeader("Access-Control-Allow-Origin", "*");
      if (e.method !== "OPTIONS" || e.header("access-control-request-method") === undefined) return e.next();
      e.setHeader("Access-Control-Allow-Methods", "GET");
      return e.noContent();
    });
    router.get("/x", ok).bindFunc(() => void ran.push("the route's own"));
  });
  const preflight = await inject({
    method: "OPTIONS",
    url: "/x",
    headers: { origin: "https://example.com", "access-control-request-method": "GET" },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers["access-control-allow-methods"], "GET");
  assert.equal(preflight.headers.allow, undefined);
  const plain = await inject({ method: "OPTIONS", url: "/x" });
  assert.equal(plain.headers.allow, "GET, HEAD, OPTIONS");
  assert.equal(plain.headers["access-control-allow-origin"], "*");
  assert.deepEqual(ran, []);
});

test("middleware of a prefix finds its path values on OPTIONS too", async (t) => {
  const { inject } = await createListener(t, (router) => {
    const team = router.setPrefix("/teams/{team}");
    team.bindFunc((e) => {
      e.setHeader("X-Team", e.pathValue("team"));
      return e.next();
    });
    team.get("/files/{rest...}", ok);
  });
  const { status, headers } = await inject({ method: "OPTIONS", url: "/teams/red/files/a" });
  assert.deepEqual([status, headers["x-team"]], [204, "red"]);
});

test("CORS headers of middleware stay on an error", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.bindFunc((e) => {
      e.setHeader("Access-Control-Allow-Origin", "*");
      return e.next();
    });
    router.get("/x", (e) => {
      throw e.error(409, "No.");
    });
  });
  assert.equal((await inject("/x")).headers["access-control-allow-origin"], "*");
});

const catchAlls = [
  "/{rest...}",
  "/{a}/{b}",
  "/{a}",
  "/api/{b}",
  "/api/{b}/{c}",
  "/{a}/cron/{c}",
  "/{a}/{b}/{c}",
];
const below = [
  "/_",
  "/_/",
  "/_/x",
  "/api/cron",
  "/api/cron/",
  "/api/cron/jobs",
  "/api/cr%6fn/jobs",
  "/api/cron/a/b/c",
];

for (const pattern of catchAlls) {
  test(`${pattern} of the application matches nothing below a reserved prefix`, async (t) => {
    const { inject } = await createListener(t, (router, { routes }) => {
      routes.reserve("/_", "Annex");
      routes.reserve("/api/cron", "Annex");
      for (const method of ["get", "post", "put", "patch", "delete"] as const) router[method](pattern, ok);
    });
    for (const url of below) {
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const { status } = await inject({ method, url });
        assert.equal(status, 404, `${method} ${url}`);
      }
    }
  });
}

test("below a reserved prefix, only the methods of its owner are allowed", async (t) => {
  const { inject } = await createListener(t, (router, { routes }) => {
    routes.reserve("/api/cron", "Annex");
    routes.router("Annex").get("/api/cron/jobs", ok);
    routes.router("Annex").get("/api/cron", ok);
    router.post("/{rest...}", ok);
  });
  assert.equal((await inject("/api/cron/jobs")).status, 200);
  assert.equal((await inject("/api/cron")).status, 200);
  for (const url of ["/api/cron/jobs", "/api/cron"]) {
    const { status, headers } = await inject({ method: "POST", url });
    assert.deepEqual([status, headers.allow], [405, "GET, HEAD, OPTIONS"]);
  }
  assert.equal((await inject({ method: "POST", url: "/api/else" })).status, 200);
});

test("an owner may take everything below its prefix itself", async (t) => {
  const { inject } = await createListener(t, (_router, { routes }) => {
    routes.reserve("/_", "Annex");
    const own = routes.router("Annex");
    for (const method of ["get", "post", "put", "patch", "delete"] as const) {
      own[method]("/_/{rest...}", ok);
      own[method]("/_", ok);
    }
  });
  for (const url of ["/_", "/_/x"]) assert.equal((await inject({ method: "PATCH", url })).status, 200);
});

test("middleware of a router's use runs for requests below its prefix that match no route", async (t) => {
  const { inject } = await createListener(t, (router) => {
    const own = router.setPrefix("/own");
    own.get("/open", ok);
    own.use((e) => {
      if (e.header("x-key") !== "secret") throw e.error(401, "No.");
      return e.next();
    });
    router.get("/owner", ok);
  });
  const rows: [method: string, url: string, status: number][] = [
    ["GET", "/own", 404],
    ["GET", "/own/", 404],
    ["GET", "/%6Fwn/x", 404],
    ["GET", "/own/%zz", 400],
    ["GET", "/own/open", 200],
    ["POST", "/own/open", 405],
    ["OPTIONS", "/own/open", 204],
  ];
  for (const [method, url, status] of rows) {
    assert.equal((await inject({ method, url })).status, 401, `${method} ${url}`);
    const response = await inject({ method, url, headers: { "x-key": "secret" } });
    assert.equal(response.status, status, `${method} ${url}`);
  }
  assert.equal((await inject("/owners")).status, 404);
  assert.equal((await inject({ method: "POST", url: "/owner" })).status, 405);
});

test("a router's bind does not apply to requests that match no route", async (t) => {
  const ran: string[] = [];
  const { inject } = await createListener(t, (router) => {
    router.bind((e) => {
      ran.push(e.path);
      return e.next();
    });
    router.get("/x", ok);
  });
  for (const url of ["/nothing", "/%zz", "/x"]) await inject(url);
  await inject({ method: "POST", url: "/x" });
  assert.deepEqual(ran, ["/x"]);
});

test("without a route, the middleware of all routers around the path runs, by priority and from the outermost", async (t) => {
  const ran: string[] = [];
  const leave = (name: string, priority = 0) => ({
    priority,
    func(e: RequestEvent) {
      ran.push(name);
      return e.next();
    },
  });
  const { inject } = await createListener(t, (router) => {
    const team = router.setPrefix("/teams/{team}");
    team.use(leave("early", -1), leave("team"));
    team.bind(leave("bound"));
    router.use(leave("root"));
    router.setPrefix("/teams/{team}/a.b").use(leave("inner"));
    router.setPrefix("/other").use(leave("other"));
  });
  const rows: [url: string, ran: string[]][] = [
    ["/", ["root"]],
    ["/teams", ["root"]],
    ["/teams/red", ["early", "root", "team"]],
    ["/teams/red/a.b/c", ["early", "root", "team", "inner"]],
    ["/teams/red/axb", ["early", "root", "team"]],
    ["/teams/a%2Fb/a.b", ["early", "root", "team", "inner"]],
    ["/others", ["root"]],
  ];
  for (const [url, expected] of rows) {
    ran.length = 0;
    assert.equal((await inject(url)).status, 404, url);
    assert.deepEqual(ran, expected, url);
  }
});

test("the identity is known to middleware that runs without a route", async (t) => {
  const { inject } = await createListener(t, (router, listener) => {
    listener.identifyWith(() => ({ id: "ada" }));
    router.use((e) => {
      e.setHeader("X-User", e.auth?.id ?? "none");
      return e.next();
    });
  });
  const { status, headers } = await inject("/nothing");
  assert.deepEqual([status, headers["x-user"]], [404, "ada"]);
});

test("below a reserved prefix, the application's middleware does not run", async (t) => {
  const ran: string[] = [];
  const { inject } = await createListener(t, (router, { routes }) => {
    routes.reserve("/_", "Annex");
    routes.router("Annex").get("/_/x", ok);
    router.use((e) => {
      ran.push(`${e.method} ${e.path}`);
      return e.next();
    });
  });
  for (const url of ["/_", "/_/x", "/_/nothing", "/%5F/nothing", "/_/%zz"]) {
    for (const method of ["GET", "POST", "OPTIONS"]) await inject({ method, url });
  }
  assert.deepEqual(ran, []);
  await inject("/nothing");
  assert.deepEqual(ran, ["GET /nothing"]);
});

test("OPTIONS runs the middleware around the route that the preflight request names", async (t) => {
  const name = (value: string) => (e: RequestEvent) => {
    e.setHeader("X-Router", value);
    return e.next();
  };
  const { inject } = await createListener(t, (router) => {
    const readers = router.setPrefix("/x");
    readers.use(name("readers"));
    readers.get("/", ok);
    const writers = router.setPrefix("/x");
    writers.use(name("writers"));
    writers.put("/", ok);
  });
  for (const [method, expected] of [
    ["GET", "readers"],
    ["HEAD", "readers"],
    ["PUT", "writers"],
    ["DELETE", "readers"],
  ] as const) {
    const headers = { "access-control-request-method": method };
    const response = await inject({ method: "OPTIONS", url: "/x", headers });
    assert.equal(response.headers["x-router"], expected, method);
  }
});

test("middleware that needs a router cannot be bound to a route", async (t) => {
  const everywhere = { id: "everywhere", unmatched: true, func: ok };
  await createListener(t, (router) => {
    const route = router.get("/x", ok);
    assert.throws(() => route.bind(everywhere), {
      name: "RouteError",
      message:
        "everywhere cannot be bound to the route GET /x, because it also handles requests without a route. Write: router.use(…).",
    });
    assert.throws(() => router.crud("y", { create: ok }, everywhere), { name: "RouteError" });
  });
});
