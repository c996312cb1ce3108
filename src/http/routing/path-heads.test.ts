import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createHeadTest } from "./path-heads.ts";

describe("createHeadTest", () => {
  const test = createHeadTest(["/_", "/api/cron/jobs", "/users/{id}", "/about", "/api/health"]);

  for (const path of [
    "/_",
    "/_/",
    "/_/_/metrics",
    "/api/cron",
    "/api/cron/jobs",
    "/api/cron/",
    "/users/42",
    "/users/42/more",
    "/about",
    "/about/",
    "/%5F/_",
    "/%61bout",
    "/api/c%72on/jobs",
  ])
    it(`is true for ${path}`, () => assert.equal(test(path), true));

  for (const path of [
    "/",
    "/__",
    "/a",
    "/api",
    "/api/",
    "/api/orders",
    "/api/cronjobs",
    "//about",
    "/abouts",
    "",
  ])
    it(`is false for ${path || "an empty path"}`, () => assert.equal(test(path), false));

  it("is true for all paths if a pattern begins with a placeholder", () => {
    assert.equal(createHeadTest(["/about", "/{rest...}"])("/other"), true);
  });

  it("knows the root and paths with a slash at the end", () => {
    const rooted = createHeadTest(["/", "/docs/"]);
    assert.deepEqual(["/", "/docs/", "/docs/x", "/other"].map(rooted), [true, true, false, false]);
  });
});
