import assert from "node:assert/strict";
import { isExcludedPath } from "./excluded-paths.ts";
import { createListener } from "./testing/listener.ts";
import { test } from "./testing/test.ts";

const rows: [path: string, isExcluded: boolean][] = [
  ["/service-worker.js", true],
  ["/favicon.ico", true],
  ["/manifest.json", true],
  ["/robots.txt", true],
  ["/assets/app.js.map", true],
  ["/.map", true],
  ["/a/b/icon.ico", true],
  ["/site.webmanifest", true],
  ["/a/site.webmanifest", true],
  ["/", false],
  ["", false],
  ["/app/service-worker.js", false],
  ["/app/manifest.json", false],
  ["/app/robots.txt", false],
  ["/robots.txt/", false],
  ["/map", false],
  ["/sitemap", false],
  ["/ico", false],
  ["/webmanifest", false],
  ["/a.map/b", false],
  ["/FAVICON.ICO", false],
  ["/todos", false],
  ["/json", false],
  // A fragment does not belong in a request, and cannot hide one either.
  ["/admin#.map", false],
];

for (const [path, isExcluded] of rows) {
  test(`${path || "an empty path"} is ${isExcluded ? "excluded" : "counted"}`, () => {
    assert.equal(isExcludedPath(path), isExcluded);
  });
}

test("an excluded request is served, and no fact of it is published", async (t) => {
  const { inject, facts } = await createListener(t, (router) => {
    router.get("/{rest...}", (e) => e.text(200, "x"));
  });
  for (const url of ["/favicon.ico", "/robots.txt?x=1", "/a.map", "/counted?x=.map"]) {
    const { status, headers } = await inject(url);
    assert.equal(status, 200);
    assert.match(String(headers["x-trace-id"]), /^[A-Za-z0-9]{18}$/);
  }
  assert.deepEqual(
    facts.items.map(({ path }) => path),
    ["/counted"],
  );
});

test("requests to an uncounted route are published only if they are refused", async (t) => {
  const statuses = [200, 204, 302, 304, 400, 401, 403, 404, 500];
  const { inject, facts, listener } = await createListener(t, (router) => {
    for (const status of statuses) router.uncounted().get(`/{who}/${status}`, (e) => e.json(status, {}));
  });
  listener.identifyWith(async (e) => (e.path.startsWith("/ada/") ? { id: "ada" } : null));
  for (const who of ["client", "ada"]) {
    for (const status of statuses) await inject(`/${who}/${status}`);
  }
  assert.deepEqual(
    facts.items.map(({ path }) => path),
    [
      ...["/client/302", "/client/400", "/client/401", "/client/403", "/client/404", "/client/500"],
      ...["/ada/401", "/ada/403"],
    ],
  );
  assert.equal(listener.observer.inFlight, 0);
});
