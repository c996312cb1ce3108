import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { type CorsOptions, cors, type InjectResponse, type RequestEvent, type RootRouter } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";

const app = "https://app.example.com";

function registerTodos(options: CorsOptions) {
  return (router: RootRouter) => {
    router.use(cors(options));
    router.get("/todos", (e) => e.json(200, []));
    router.get("/broken", () => {
      throw new Error("broken");
    });
    router
      .get("/closed", (e) => e.noContent())
      .bind((e) => {
        throw e.error(401, "Sign in.");
      });
  };
}

function preflight(url: string, headers: Record<string, string> = {}) {
  const own = { origin: app, "access-control-request-method": "PUT", ...headers };
  return { method: "OPTIONS", url, headers: own };
}

/** The headers about CORS, and Vary. */
function shown({ headers }: InjectResponse): IncomingHttpHeaders {
  const own = Object.entries(headers).filter(([name]) => /^(access-control-|vary)/.test(name));
  return Object.fromEntries(own.map(([name, value]) => [name.replace("access-control-", ""), value]));
}

const origins: { origins: CorsOptions["origins"]; allowed: string[]; refused: string[] }[] = [
  {
    origins: app,
    allowed: [app],
    refused: ["https://app.example.com.evil.example", "http://app.example.com", "null"],
  },
  {
    origins: [app, /^https:\/\/[a-z]+\.example\.dev$/g],
    allowed: [app, "https://one.example.dev", "https://two.example.dev", "https://one.example.dev"],
    refused: ["https://example.dev", "https://one.example.dev.evil.example"],
  },
  { origins: /^https:\/\/localhost:\d+$/, allowed: ["https://localhost:1"], refused: ["https://localhost"] },
  { origins: (origin) => origin === app, allowed: [app], refused: ["https://other.example"] },
  { origins: async (origin) => origin === app, allowed: [app], refused: ["https://other.example"] },
  { origins: "capacitor://localhost", allowed: ["capacitor://localhost"], refused: ["https://localhost"] },
  { origins: () => "yes" as unknown as boolean, allowed: [], refused: [app] },
];

for (const { origins: given, allowed, refused } of origins) {
  test(`origins ${typeof given === "object" ? JSON.stringify(String(given)) : String(given)} are recognized`, async (t) => {
    const { inject } = await createListener(t, registerTodos({ origins: given }));
    for (const origin of allowed) {
      const response = await inject({ url: "/todos", headers: { origin } });
      assert.deepEqual(shown(response), { "allow-origin": origin, vary: "Origin" });
    }
    for (const origin of refused) {
      const response = await inject({ url: "/todos", headers: { origin } });
      assert.deepEqual([response.status, shown(response)], [200, { vary: "Origin" }], origin);
      const before = await inject(preflight("/todos", { origin }));
      assert.deepEqual(shown(before), { vary: "Origin" }, origin);
    }
  });
}

test("a response varies by origin even if the request has none, because caches share it", async (t) => {
  const { inject } = await createListener(t, registerTodos({ origins: app }));
  assert.deepEqual(shown(await inject("/todos")), { vary: "Origin" });
});

test('a response to all origins is the same for all, with origins "*"', async (t) => {
  const { inject } = await createListener(t, registerTodos({ origins: "*" }));
  const { status, headers } = await inject({ url: "/todos", headers: { origin: "null" } });
  assert.deepEqual([status, headers["access-control-allow-origin"], headers.vary], [200, "*", undefined]);
});

test("Vary of a handler is added to Origin", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.use(cors({ origins: app }));
    router.get("/x", (e) => {
      e.setHeader("Vary", "Accept-Language");
      return e.noContent();
    });
  });
  assert.equal((await inject("/x")).headers.vary, "Origin, Accept-Language");
});

test("the response to a preflight request contains everything that is allowed", async (t) => {
  const options: CorsOptions = {
    origins: [app],
    methods: ["GET", "PUT"],
    headers: ["Authorization", "X-Tenant"],
    exposedHeaders: ["X-Trace-ID", "ETag"],
    credentials: true,
    maxAge: 600,
    privateNetwork: true,
  };
  const { inject } = await createListener(t, registerTodos(options));
  const response = await inject(
    preflight("/todos", {
      "access-control-request-private-network": "true",
      "access-control-request-headers": "x",
    }),
  );
  assert.deepEqual([response.status, response.body, response.headers.allow], [204, "", undefined]);
  assert.deepEqual(shown(response), {
    "allow-origin": app,
    "allow-credentials": "true",
    "allow-methods": "GET, PUT",
    "allow-headers": "Authorization, X-Tenant",
    "allow-private-network": "true",
    "max-age": "600",
    vary: "Origin",
  });
  const actual = await inject({ url: "/todos", headers: { origin: app } });
  assert.deepEqual(shown(actual), {
    "allow-origin": app,
    "allow-credentials": "true",
    "expose-headers": "X-Trace-ID, ETag",
    vary: "Origin",
  });
});

test("by default, a preflight request allows the usual methods and the headers it asks for", async (t) => {
  const { inject } = await createListener(t, registerTodos({ origins: app }));
  const response = await inject(
    preflight("/todos", {
      "access-control-request-headers": "authorization,content-type",
      "access-control-request-private-network": "true",
    }),
  );
  assert.deepEqual(shown(response), {
    "allow-origin": app,
    "allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "allow-headers": "authorization,content-type",
    vary: "Origin, Access-Control-Request-Headers",
  });
});

test("OPTIONS without a requested method is no preflight request", async (t) => {
  const { inject } = await createListener(t, registerTodos({ origins: app }));
  const { status, headers } = await inject({ method: "OPTIONS", url: "/todos", headers: { origin: app } });
  assert.deepEqual(
    [status, headers.allow, headers["access-control-allow-origin"]],
    [204, "GET, HEAD, OPTIONS", app],
  );
});

test("pages can read every error", async (t) => {
  const { inject } = await createListener(t, registerTodos({ origins: app, credentials: true }));
  const rows: [method: string, url: string, status: number][] = [
    ["GET", "/nothing", 404],
    ["DELETE", "/todos", 405],
    ["GET", "/broken", 500],
    ["GET", "/closed", 401],
    ["GET", "/%zz", 400],
  ];
  for (const [method, url, status] of rows) {
    const response = await inject({ method, url, headers: { origin: app } });
    assert.equal(response.status, status, url);
    assert.deepEqual(
      shown(response),
      { "allow-origin": app, "allow-credentials": "true", vary: "Origin" },
      url,
    );
    assert.equal((await inject(preflight(url))).status, 204, url);
  }
});

test("pages can read the error of a request that could not be authenticated", async (t) => {
  const check = async (origin: string) => origin === app;
  for (const origins of [app, check]) {
    for (const isLate of [true, false]) {
      const { inject } = await createListener(t, (router, listener) => {
        listener.identifyWith((e: RequestEvent) => {
          const error = e.error(401, "The token has expired.");
          if (isLate) return Promise.reject(error);
          throw error;
        });
        registerTodos({ origins })(router);
      });
      const response = await inject({ url: "/todos", headers: { origin: app } });
      assert.equal(response.status, 401);
      assert.deepEqual(shown(response), { "allow-origin": app, vary: "Origin" });
    }
  }
});

test("an error of the function that checks origins is the response", async (t) => {
  const origins = async (_origin: string, e: RequestEvent): Promise<boolean> => {
    throw e.error(503, "Unknown tenant.");
  };
  const { inject } = await createListener(t, registerTodos({ origins }));
  assert.equal((await inject({ url: "/todos", headers: { origin: app } })).status, 503);
});

test("it applies below the prefix of its router only", async (t) => {
  const { inject } = await createListener(t, (router) => {
    const api = router.setPrefix("/api");
    api.bind(cors({ origins: app }));
    api.get("/x", (e) => e.noContent());
    router.get("/x", (e) => e.noContent());
  });
  for (const [url, expected] of [
    ["/api/x", app],
    ["/api/nothing", app],
    ["/x", undefined],
    ["/nothing", undefined],
  ] as const) {
    const { headers } = await inject({ url, headers: { origin: app } });
    assert.equal(headers["access-control-allow-origin"], expected, url);
  }
});

const mistakes: { options: unknown; message: string }[] = [
  {
    options: { origins: "*", credentials: true },
    message:
      'cors: credentials cannot be combined with origins "*", because browsers refuse it. List the origins.',
  },
  {
    options: undefined,
    message: 'cors: origins must be "*", an origin, a RegExp, a list of both, or a function.',
  },
  { options: {}, message: 'cors: origins must be "*", an origin, a RegExp, a list of both, or a function.' },
  { options: { origins: [] }, message: "cors: origins is an empty list." },
  { options: { origins: ["*"] }, message: 'cors: "*" cannot be part of a list. Write origins: "*".' },
  {
    options: { origins: "https://app.example.com/" },
    message: 'cors: "https://app.example.com/" is not an origin. Write "https://app.example.com".',
  },
  {
    options: { origins: "https://App.example.com:443" },
    message: 'cors: "https://App.example.com:443" is not an origin. Write "https://app.example.com".',
  },
  {
    options: { origins: ["app.example.com"] },
    message: 'cors: "app.example.com" is not an origin. Write "https://app.example.com".',
  },
  {
    options: { origins: "null" },
    message: 'cors: "null" is not an origin. Write "https://app.example.com".',
  },
  {
    options: { origins: app, methods: "PUT" },
    message: 'cors: methods must be a list of names, such as ["PUT"].',
  },
  {
    options: { origins: app, headers: ["*"] },
    message: 'cors: headers must be a list of names, such as ["Authorization"].',
  },
  {
    options: { origins: app, exposedHeaders: ["A, B"] },
    message: 'cors: exposedHeaders must be a list of names, such as ["X-Trace-ID"].',
  },
  {
    options: { origins: app, maxAge: -1 },
    message: "cors: maxAge must be a whole number of seconds, got -1.",
  },
  {
    options: { origins: app, allowedHeaders: ["X-Team"] },
    message:
      'cors has no option "allowedHeaders". It has origins, methods, headers, exposedHeaders, credentials, maxAge, privateNetwork.',
  },
];

for (const { options, message } of mistakes) {
  test(`registration fails: ${message}`, () => {
    assert.throws(() => cors(options as CorsOptions), { name: "TypeError", message });
  });
}

test("it cannot be bound to a route, which does not receive preflight requests", async (t) => {
  await createListener(t, (router) => {
    const route = router.get("/x", (e) => e.noContent());
    assert.throws(() => route.bind(cors({ origins: app })), {
      name: "RouteError",
      message: /^cors cannot be bound/,
    });
  });
});
