import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPathPattern } from "./path-pattern.ts";

const matches = (pattern: string, path: string) => createPathPattern(pattern).matches(path);

describe("a pattern of paths", () => {
  const scenarios: { pattern: string; yes: string[]; no: string[] }[] = [
    {
      pattern: "/api/todos",
      yes: ["/api/todos"],
      no: ["/api/todos/", "/api/todo", "/API/todos", "/x/api/todos"],
    },
    { pattern: "/api/*", yes: ["/api/", "/api/todos", "/api/todos/1"], no: ["/api", "/x/api/"] },
    { pattern: "*.pdf", yes: ["/a.pdf", "/a/b.pdf", ".pdf", "/a.pdf.pdf"], no: ["/a.pdf/", "/apdf"] },
    { pattern: "*todo*", yes: ["/todo", "/api/todos/1"], no: ["/tod", "/t/odo"] },
    { pattern: "/a*b*c", yes: ["/abc", "/abbcc", "/a/b/c", "/abcbc"], no: ["/acb", "/abcd", "/ab"] },
    { pattern: "*", yes: ["", "/", "/anything/at/all"], no: [] },
    { pattern: "/**", yes: ["/", "/a/b"], no: ["", "a"] },
    {
      pattern: "/todos/{id}",
      yes: ["/todos/7", "/todos/%20"],
      no: ["/todos/", "/todos", "/todos/7/", "/todos/7/x"],
    },
    { pattern: "/{a}/x/{b}", yes: ["/1/x/2", "/x/x/x"], no: ["/1/y/2", "/1/x/", "//x/2", "/1/x/2/3"] },
    { pattern: "/files/{rest...}", yes: ["/files/", "/files/a", "/files/a/b"], no: ["/files", "/file/a"] },
    { pattern: "*/{id}/edit", yes: ["/7/edit", "/a/b/7/edit"], no: ["/edit", "//edit", "/7/edit/"] },
    { pattern: "/{rest...}/end/{id}", yes: ["/a/end/1", "/a/b/end/end/1"], no: ["/end/1", "/a/end/1/2"] },
    { pattern: "/{not a name}", yes: ["/{not a name}"], no: ["/x"] },
    { pattern: "/a{id}", yes: ["/a{id}"], no: ["/ab"] },
    { pattern: "/{id", yes: ["/{id"], no: ["/x"] },
    { pattern: "/a.c+(d)[e]^$|\\", yes: ["/a.c+(d)[e]^$|\\"], no: ["/abc+(d)[e]^$|\\"] },
  ];
  for (const { pattern, yes, no } of scenarios) {
    it(`${pattern} matches what it says and nothing else`, () => {
      for (const path of yes) assert.ok(matches(pattern, path), path);
      for (const path of no) assert.ok(!matches(pattern, path), path);
    });
  }

  it("agrees with a regular expression on every short pattern and path", () => {
    const paths = wordsOf(["a", "b", "/"], 6);
    const patterns = wordsOf(["a", "/", "*", "/{x}", "/{x...}"], 4);
    for (const pattern of patterns) {
      const oracle = toRegExp(pattern);
      const { matches, prefix, longest, isExact } = createPathPattern(pattern);
      for (const path of paths) {
        assert.equal(matches(path), oracle.test(path), `${pattern} on ${path}`);
        if (matches(path))
          assert.ok(path.startsWith(prefix) && path.includes(longest), `${pattern} on ${path}`);
        if (isExact) assert.equal(matches(path), path === prefix, `${pattern} on ${path}`);
      }
    }
  });

  // Backtracking would not come to an end here.
  it("comes to an end, also for one who means it badly", () => {
    const letters = "a".repeat(8_192);
    const hostile = [
      "*a*a*a*a*b",
      `${"*a".repeat(4_000)}*b`,
      `*${"a".repeat(4_000)}b`,
      `*${"a".repeat(4_000)}*b*${"a".repeat(4_000)}`,
      `${"/{x}".repeat(2_000)}/b`,
      `*${"/{x}".repeat(2_000)}/b`,
    ];
    for (const pattern of hostile) {
      assert.ok(!matches(pattern, letters));
      assert.ok(!matches(pattern, "/a".repeat(4_096)));
    }
  });
});

/** All words of at most that many letters. */
function wordsOf(letters: string[], length: number): string[] {
  if (length === 0) return [""];
  const shorter = wordsOf(letters, length - 1);
  return [...new Set(["", ...shorter.flatMap((word) => letters.map((letter) => word + letter))])];
}

/** The same pattern in other words, on patterns too short to do harm. */
function toRegExp(pattern: string): RegExp {
  const segments = pattern.split("/").map((segment) => {
    if (segment === "{x}") return "[^/]+";
    return segment === "{x...}" ? ".*" : segment.replaceAll(/[{}.]/g, "\\$&").replaceAll("*", ".*");
  });
  return new RegExp(`^${segments.join("/")}$`);
}
