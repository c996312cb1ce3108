import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { convertPath, createPatternTest, describePath, joinPatterns } from "./patterns.ts";

describe("a path of another framework", () => {
  for (const [path, pattern] of [
    ["/", "/"],
    ["/users/:id", "/users/{id}"],
    ["/users/:id/posts/:post_id", "/users/{id}/posts/{post_id}"],
    ["/files/:name.:ext", "/files/{name}.{ext}"],
    ["/from/:from-:to", "/from/{from}-{to}"],
    ["/users/:id(\\d+)", "/users/{id}"],
    ["/users/:id(^(?:a|b)$)/x", "/users/{id}/x"],
    ["/users/:id?", "/users/{id}"],
    ["/users{/:id}", "/users/{id}"],
    ["/files/*path", "/files/{path...}"],
    ["/files/*", "/files/{rest...}"],
    ["*", "/{rest...}"],
    ["*path", "/{path...}"],
    ["(.*)", "/{rest...}"],
    ["/files/(.*)", "/files/{rest...}"],
    ["", ""],
    ['/odd/:"with space"', "/odd/{with space}"],
    ["/escaped\\:colon", "/escaped:colon"],
  ] as const) {
    it(`${path} becomes ${pattern}`, () => assert.equal(convertPath(path), pattern));
  }

  it("can be a list and a regular expression", () => {
    assert.deepEqual(describePath(["/a", "/b/:id", /^\/c\/(\d+)$/]), ["/a", "/b/{id}", "/c/{0}"]);
  });
});

it("each prefix is joined with each pattern", () => {
  assert.deepEqual(joinPatterns(["", "/a", "/b/"], ["/", "/c"]), ["/", "/c", "/a", "/a/c", "/b", "/b/c"]);
  assert.deepEqual(joinPatterns(["", "/a"], describePath("*")), ["/{rest...}", "/a/{rest...}"]);
});

describe("the test for the paths of a pattern", () => {
  for (const [pattern, path, expected] of [
    ["/a/{id}", "/a/1", true],
    ["/a/{id}", "/A/1/", true],
    ["/a/{id}", "/a/1/2", false],
    ["/a/{rest...}", "/a/1/2", true],
    ["/a.b", "/aXb", false],
    ["/a/{id}.{ext}", "/a/1.txt", true],
  ] as const) {
    it(`${path} is ${expected ? "one" : "none"} of ${pattern}`, () =>
      assert.equal(createPatternTest(pattern)(path), expected));
  }
});
