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

test("a route of ours that shows the facts is not among them", async (t) => {
  const { inject, facts, listener } = await createListener(t, (router) => {
    router.uncounted().get("/feed", (e) => e.text(200, "x"));
    router.get("/counted", (e) => e.text(200, "x"));
  });
  assert.equal((await inject("/feed")).status, 200);
  assert.equal((await inject("/counted")).status, 200);
  assert.deepEqual(
    facts.items.map(({ path }) => path),
    ["/counted"],
  );
  assert.equal(listener.observer.inFlight, 0);
});
