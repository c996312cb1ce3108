import assert from "node:assert/strict";
import { test } from "node:test";
import { FastifyRoutes, type FastifyRouting, parseRoutes } from "./fastify-routes.ts";

test("the routes of Fastify are read from its tree", () => {
  const tree = `└── (empty root node)
    ├── / (GET, HEAD)
    │   ├── api (POST)
    │   │   └── / (POST)
    │   │       └── health (GET)
    │   │           └── /:id/x (PATCH)
    │   ├── files/
    │   │   └── * (GET)
    │   ├── _/page (GET)
    │   │   _/page (GET) {"host":"a.com"}
    │   └── items (old)/x (GET) {"version":"1.0.0"}
    └── * (OPTIONS)
`;
  assert.deepEqual(
    parseRoutes(tree).map(({ method, url }) => `${method} ${url}`),
    [
      "GET /",
      "HEAD /",
      "POST /api",
      "POST /api/",
      "GET /api/health",
      "PATCH /api/health/:id/x",
      "GET /files/*",
      "GET /_/page",
      "GET /items (old)/x",
      "OPTIONS *",
    ],
  );
  assert.deepEqual(parseRoutes("(empty tree)\n"), []);
});

test("the route of a request is found as Fastify finds it", () => {
  const routes = new FastifyRoutes({ caseSensitive: false, ignoreTrailingSlash: true });
  const urls = ["/users/:id", "/users/me", "/files/*", "/at/:hour(^\\d+$)h:minute", "/users/:other"];
  for (const url of urls) routes.add({ method: "GET", url });
  routes.add({ method: "UNKNOWN", url: "/unknown" });
  const find = (target: string, method = "GET") => routes.find(method, target);
  assert.equal(find("/users/1"), "/users/:id");
  assert.equal(find("/Users/me/?a=/users/1"), "/users/me");
  assert.equal(find("http://example.com/files/a/b"), "/files/*");
  assert.equal(find("/at/12h30"), "/at/:hour(^\\d+$)h:minute");
  assert.equal(find("/at/noonh30"), undefined);
  assert.equal(find("/users/1", "POST"), undefined);
  assert.equal(find("/%zz"), undefined);
});

test("a semicolon begins the query only if the application says so", () => {
  const find = (useSemicolonDelimiter?: boolean) => {
    const routes = new FastifyRoutes(useSemicolonDelimiter === undefined ? {} : { useSemicolonDelimiter });
    for (const url of ["/users", "/users;:rest"]) routes.add({ method: "GET", url });
    return routes.find("GET", "/users;a=1");
  };
  assert.equal(find(true), "/users");
  assert.equal(find(false), "/users;:rest");
  assert.equal(find(), "/users;:rest");
});

test("a slash at the end and a repeated slash belong to the path only if the application says so", () => {
  const find = (target: string, options: FastifyRouting) => {
    const routes = new FastifyRoutes(options);
    routes.add({ method: "GET", url: "/users" });
    return routes.find("GET", target);
  };
  assert.equal(find("/users/", {}), undefined);
  assert.equal(find("/users/", { ignoreTrailingSlash: true }), "/users");
  assert.equal(find("//users", {}), undefined);
  assert.equal(find("//users", { ignoreDuplicateSlashes: true }), "/users");
  assert.equal(find("/Users", {}), undefined);
});
