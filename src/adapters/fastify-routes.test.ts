import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRoutes } from "./fastify-routes.ts";

test("the routes of Fastify are read from its tree", () => {
  const tree = `├── / (GET, HEAD)
│   ├── api (POST)
│   │   └── / (POST)
│   │       └── health (GET)
│   │           └── /:id/x (PATCH)
│   ├── _/page (GET)
│   │   _/page (GET) {"host":"a.com"}
│   └── items (old)/x (GET) {"version":"1.0.0"}
└── * (OPTIONS)
`;
  assert.deepEqual(
    parseRoutes(tree).map(({ method, pattern }) => `${method} ${pattern}`),
    [
      "GET /",
      "HEAD /",
      "POST /api",
      "POST /api/",
      "GET /api/health",
      "PATCH /api/health/{id}/x",
      "GET /_/page",
      "GET /items (old)/x",
      "OPTIONS {rest...}",
    ],
  );
  assert.deepEqual(parseRoutes("(empty tree)\n"), []);
});
