import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPathMatcher } from "./path-matcher.ts";

describe("a path matcher", () => {
  for (const [pattern, fitting, others] of [
    ["/ping", ["/ping"], ["/ping/", "/pings", "/a/ping", ""]],
    ["/admin/*", ["/admin/", "/admin/users/1"], ["/admin", "/administration", "/x/admin/"]],
    ["*.xml", ["/feed.xml", "/a/b.xml"], ["/feed.xml.gz", "/feedxml"]],
    ["/a*b*c", ["/abc", "/aXbYc", "/abbcc"], ["/ac", "/acb", "/ab", "xabc"]],
    ["/ab*ba", ["/abba", "/abXba"], ["/aba", "/ab"]],
    ["*", ["", "/", "/any/thing"], []],
    ["/a**b", ["/ab", "/axb"], ["/a", "/b"]],
  ] as const) {
    const matches = createPathMatcher([pattern]);
    it(`takes ${fitting.join(" ")} for ${pattern}`, () => {
      for (const path of fitting) assert.equal(matches(path), true, path);
    });
    it(`does not take ${others.join(" ")} for ${pattern}`, () => {
      for (const path of others) assert.equal(matches(path), false, path);
    });
  }

  it("is satisfied by any of several patterns, and by none of none", () => {
    assert.equal(createPathMatcher(["/a", "/b*"])("/bc"), true);
    assert.equal(createPathMatcher([])("/"), false);
  });

  it("takes little time for patterns and paths that are made to take long", () => {
    const matches = createPathMatcher([`${"*a".repeat(50)}*b`]);
    const begun = performance.now();
    assert.equal(matches("a".repeat(16_000)), false);
    assert.ok(performance.now() - begun < 1_000);
  });
});
