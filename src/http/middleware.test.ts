import assert from "node:assert/strict";
import type { InjectResponse, Middleware, RequestEvent, Router } from "./index.ts";
import { createListener, type TestListener } from "./testing/listener.ts";
import { test } from "./testing/test.ts";

/** Middleware and handlers that leave their names, and a listener that reports which did, in order. */
async function traceOf(
  t: Parameters<typeof createListener>[0],
  register: (router: Router, leave: (name: string) => (e: RequestEvent) => Promise<void>) => void,
  url = "/x",
): Promise<{ trace: string[]; response: InjectResponse; server: TestListener }> {
  const trace: string[] = [];
  const leave = (name: string) => async (e: RequestEvent) => {
    trace.push(name);
    await e.next();
  };
  const server = await createListener(t, (router) => register(router, leave));
  const response = await server.inject(url);
  return { trace, response, server };
}

const orders: {
  name: string;
  register: (router: Router, leave: (name: string) => (e: RequestEvent) => unknown) => void;
  trace: string[];
}[] = [
  {
    name: "the router's comes before the route's, wherever it was bound",
    register(router, leave) {
      router.get("/x", respond).bindFunc(leave("route"));
      router.bindFunc(leave("router"));
    },
    trace: ["router", "route"],
  },
  {
    name: "in the order they were bound, over several calls",
    register(router, leave) {
      router.bindFunc(leave("1"), leave("2"));
      router.bind(leave("3"), { func: leave("4") });
      router
        .get("/x", respond)
        .bind(leave("5"))
        .bindFunc(leave("6"))
        .bind({ func: leave("7") });
    },
    trace: ["1", "2", "3", "4", "5", "6", "7"],
  },
  {
    name: "the outer router's before the inner one's",
    register(router, leave) {
      const inner = router.setPrefix("/x");
      inner.bindFunc(leave("inner"));
      inner.get("/", respond).bindFunc(leave("route"));
      router.bindFunc(leave("outer"));
    },
    trace: ["outer", "inner", "route"],
  },
  {
    name: "not that of a router beside it",
    register(router, leave) {
      router.setPrefix("/other").bindFunc(leave("other"));
      router.setPrefix("/x").bindFunc(leave("same path, another router"));
      router.setPrefix("/x").get("/", respond).bindFunc(leave("route"));
    },
    trace: ["route"],
  },
  {
    name: "lower priority first, across routers and routes",
    register(router, leave) {
      router.bind({ func: leave("router 10"), priority: 10 }, { func: leave("router -10"), priority: -10 });
      router.get("/x", respond).bind({ func: leave("route -20"), priority: -20 }, leave("route 0"), {
        func: leave("route 10"),
        priority: 10,
      });
    },
    trace: ["route -20", "router -10", "route 0", "router 10", "route 10"],
  },
  {
    name: "the same ID bound again takes the place of the earlier one",
    register(router, leave) {
      router
        .get("/x", respond)
        .bind({ id: "a", func: leave("old a") }, { id: "b", func: leave("b") })
        .bind({ id: "a", func: leave("new a") });
    },
    trace: ["new a", "b"],
  },
  {
    name: "one without an ID replaces nothing",
    register(router, leave) {
      router
        .get("/x", respond)
        .bind({ func: leave("1") }, { func: leave("2") }, { id: "", func: leave("3") });
    },
    trace: ["1", "2", "3"],
  },
  {
    name: "that of crud only where it writes",
    register(router, leave) {
      router.bindFunc(leave("router"));
      router.crud("x", { list: respond }, leave("guard"));
    },
    trace: ["router"],
  },
];

function respond(e: RequestEvent): unknown {
  return e.text(200, "sent");
}

for (const { name, register, trace } of orders) {
  test(`middleware runs: ${name}`, async (t) => {
    const { trace: ran, response } = await traceOf(t, register);
    assert.equal(response.body, "sent");
    assert.deepEqual(ran, trace);
  });
}

test("work after e.next() happens when all that follows is done", async (t) => {
  const order: string[] = [];
  const { inject } = await createListener(t, (router) => {
    router.bindFunc(async (e) => {
      order.push("before");
      await e.next();
      order.push(`after, responded: ${e.hasResponded}`);
    });
    router.get("/x", async (e) => {
      await Promise.resolve();
      order.push("handler");
      return e.noContent();
    });
  });
  assert.equal((await inject("/x")).status, 204);
  assert.deepEqual(order, ["before", "handler", "after, responded: true"]);
});

test("middleware may send the response, and then nothing after it runs", async (t) => {
  const { trace, response } = await traceOf(t, (router, leave) => {
    router.bindFunc((e) => e.json(401, { who: "are you" }));
    router.get("/x", leave("handler")).bindFunc(leave("route"));
  });
  assert.deepEqual([response.status, response.json()], [401, { who: "are you" }]);
  assert.deepEqual(trace, []);
});

test("middleware that throws stops the request, and earlier middleware sees the error", async (t) => {
  let seen: unknown;
  const { trace, response } = await traceOf(t, (router, leave) => {
    router.bindFunc(async (e) => {
      try {
        await e.next();
      } catch (error) {
        seen = error;
        throw error;
      }
    });
    router.get("/x", leave("handler")).bindFunc((e) => {
      throw e.error(403, "Not you.");
    });
  });
  assert.deepEqual([response.status, response.json<{ message: string }>().message], [403, "Not you."]);
  assert.equal((seen as Error).message, "Not you.");
  assert.deepEqual(trace, []);
});

test("middleware may convert a later error to a response", async (t) => {
  const { response } = await traceOf(t, (router) => {
    router.bindFunc(async (e) => {
      await e.next().catch(() => e.text(200, "never mind"));
    });
    router.get("/x", () => {
      throw new Error("boom");
    });
  });
  assert.deepEqual([response.status, response.body], [200, "never mind"]);
});

const notResponding: { name: string; middleware: Middleware }[] = [
  { name: "forgets e.next()", middleware: () => {} },
  { name: "forgets e.next() in an async function", middleware: async () => {} },
  { name: "returns something else", middleware: () => ({ hello: "you" }) },
];

for (const { name, middleware } of notResponding) {
  test(`middleware that ${name} gets 500 and is reported`, async (t) => {
    const { response, trace, server } = await traceOf(t, (router, leave) => {
      router.get("/x", leave("handler")).bind(middleware);
    });
    assert.equal(response.status, 500);
    assert.deepEqual(trace, []);
    assert.match(
      String(server.failures.items[0]?.error),
      /No response was sent for .* e\.next\(\) in middleware/,
    );
    assert.doesNotMatch(response.body, /next/);
  });
}

const impatient: Record<string, Middleware> = {
  function: (e) => void e.next(),
  "async function": async (e) => void e.next(),
};

for (const [name, middleware] of Object.entries(impatient)) {
  test(`middleware that does not wait for e.next() in a ${name} gets 500 and a message that says so`, async (t) => {
    const { response, server } = await traceOf(t, (router) => {
      router
        .get("/x", async (e) => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          return e.hasResponded ? undefined : e.noContent();
        })
        .bind(middleware);
    });
    assert.equal(response.status, 500);
    assert.match(
      String(server.failures.items[0]?.error),
      /A middleware function of GET \/x .* Write: await e\.next\(\)/,
    );
    assert.doesNotMatch(response.body, /next/);
  });
}

test("middleware that tries what follows again cannot step over a guard", async (t) => {
  const { response, trace, server } = await traceOf(t, (router, leave) => {
    router.bindFunc(async (e) => {
      try {
        await e.next();
      } catch {
        await e.next();
      }
    });
    router.get("/x", leave("handler")).bindFunc((e) => {
      throw e.error(403, "Not you.");
    });
  });
  assert.deepEqual(trace, []);
  assert.equal(response.status, 500);
  assert.equal(server.failures.items.length, 1);
});

test("middleware that calls e.next() twice runs what follows once", async (t) => {
  const { response, trace } = await traceOf(t, (router, leave) => {
    router.bindFunc(async (e) => {
      await e.next();
      await e.next();
    });
    router
      .get("/x", (e) => {
        trace2.push("handler");
        return e.noContent();
      })
      .bindFunc(leave("route"));
  });
  assert.equal(response.status, 204);
  assert.deepEqual(trace, ["route"]);
  assert.deepEqual(trace2.splice(0), ["handler"]);
});
const trace2: string[] = [];

test("what middleware sets is there for the handler", async (t) => {
  const { response } = await traceOf(t, (router) => {
    router.bindFunc((e) => {
      assert.equal(e.get("user"), undefined);
      e.set("user", "ada");
      e.setHeader("X-Seen", "yes");
      return e.next();
    });
    router.get("/x", (e) => e.text(200, `hello ${e.get("user")}`));
  });
  assert.deepEqual([response.body, response.headers["x-seen"]], ["hello ada", "yes"]);
});

test("the identity is found before the first middleware runs", async (t) => {
  const { inject } = await createListener(t, (router, listener) => {
    listener.identifyWith(async (e) => (e.header("authorization") ? { id: "ada" } : null));
    router.bindFunc((e) => (e.auth === null ? e.text(401, "nobody") : e.next()));
    router.get("/x", (e) => e.text(200, e.auth!.id));
  });
  assert.equal((await inject("/x")).status, 401);
  assert.equal((await inject({ url: "/x", headers: { authorization: "token" } })).body, "ada");
});

for (const [how, identify] of [
  [
    "throws",
    () => {
      throw new Error("no store");
    },
  ],
  ["rejects", () => Promise.reject(new Error("no store"))],
] as const) {
  test(`a search for the identity that ${how} is a failure, and no handler runs`, async (t) => {
    const { inject, failures } = await createListener(t, (router, listener) => {
      listener.identifyWith(identify);
      router.get("/x", () => assert.fail("ran"));
    });
    assert.equal((await inject("/x")).status, 500);
    assert.deepEqual(
      failures.items.map(({ error }) => String(error)),
      ["Error: no store"],
    );
  });
}

test("middleware of the application does not run on routes of others", async (t) => {
  const { inject } = await createListener(t, (router, { routes }) => {
    routes.reserve("/_", "Annex");
    router.bindFunc((e) => e.text(418, "the application"));
    router.get("/{rest...}", respond);
    routes.router("Annex").get("/_/page", (e) => e.text(200, "Annex"));
    routes.router("Annex").get("/health", (e) => e.text(200, "Annex"));
  });
  assert.equal((await inject("/_/page")).body, "Annex");
  assert.equal((await inject("/health")).body, "Annex");
  for (const request of [
    { url: "/_/nothing" },
    { url: "/_" },
    { method: "POST", url: "/_/page" },
    { method: "OPTIONS", url: "/_/page" },
  ]) {
    assert.notEqual((await inject(request)).status, 418, `${request.method} ${request.url}`);
  }
  assert.equal((await inject("/else")).status, 418);
});

test("e.next() can be awaited, whether the following functions are synchronous or not", async (t) => {
  const order: string[] = [];
  const { inject } = await createListener(t, (router) => {
    router.bindFunc(async (e) => {
      await e.next();
      order.push("outer");
    });
    router.bindFunc((e) => e.next());
    router.get("/sync", (e) => e.text(200, "sync"));
    router.get("/async", async (e) => {
      await Promise.resolve();
      order.push("handler");
      return e.text(200, "async");
    });
    router.get("/thrown", (e) => {
      throw e.error(409, "No.");
    });
  });
  for (const [url, status, expected] of [
    ["/sync", 200, ["outer"]],
    ["/async", 200, ["handler", "outer"]],
    ["/thrown", 409, []],
  ] as const) {
    order.length = 0;
    assert.equal((await inject(url)).status, status);
    assert.deepEqual(order, expected, url);
  }
});
