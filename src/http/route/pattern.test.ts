import assert from "node:assert/strict";
import { test } from "node:test";
import { isHostilePath, joinPaths, type PathParams, parsePattern } from "./pattern.ts";
import { RouteError } from "./route-error.ts";

const patterns = [
  { text: "/", names: [], rest: undefined, url: "/", shape: "/" },
  { text: "/todos", names: [], rest: undefined, url: "/todos", shape: "/todos" },
  { text: "/todos/", names: [], rest: undefined, url: "/todos/", shape: "/todos/" },
  { text: "/todos/{id}", names: ["id"], rest: undefined, url: "/todos/:id", shape: "/todos/:" },
  { text: "/{a}/{b_2}/x", names: ["a", "b_2"], rest: undefined, url: "/:a/:b_2/x", shape: "/:/:/x" },
  { text: "/{rest...}", names: ["rest"], rest: "rest", url: "/*", shape: "/*" },
  { text: "/{id}/{path...}", names: ["id", "path"], rest: "path", url: "/:id/*", shape: "/:/*" },
  { text: "/time/12:30", names: [], rest: undefined, url: "/time/12::30", shape: "/time/12::30" },
  { text: "/:", names: [], rest: undefined, url: "/::", shape: "/::" },
  { text: "/a.b-c_d~(e)", names: [], rest: undefined, url: "/a.b-c_d~(e)", shape: "/a.b-c_d~(e)" },
];

for (const pattern of patterns) {
  test(`the pattern ${pattern.text} is understood`, () =>
    assert.deepEqual(parsePattern(pattern.text), pattern));
}

const refused: [pattern: string, message: string][] = [
  ["todos", 'The route path "todos" must start with "/".'],
  ["", 'The route path "" must start with "/".'],
  ["/{id}/{id}", 'The route path "/{id}/{id}" contains {id} twice.'],
  ["/{id}/{id...}", 'The route path "/{id}/{id...}" contains {id} twice.'],
  ["/{rest...}/x", 'In the route path "/{rest...}/x", {rest...} must be the last segment.'],
  ["/{rest...}/", 'In the route path "/{rest...}/", {rest...} must be the last segment.'],
  ["/a{id}", badSegment("/a{id}", "a{id}")],
  ["/{id}.json", badSegment("/{id}.json", "{id}.json")],
  ["/a/:id", 'Invalid segment ":id" in the route path "/a/:id": write {id} for a path value.'],
  ["/:id(\\d+)", 'Invalid segment ":id(\\d+)" in the route path "/:id(\\d+)": write {id} for a path value.'],
  ["/{}", badSegment("/{}", "{}")],
  ["/{1st}", badSegment("/{1st}", "{1st}")],
  ["/{a-b}", badSegment("/{a-b}", "{a-b}")],
  ["/{id", badSegment("/{id", "{id")],
  ["/{rest..}", badSegment("/{rest..}", "{rest..}")],
  ["/files/*", badSegment("/files/*", "*")],
  ["/a?b", badSegment("/a?b", "a?b")],
  ["/a#b", badSegment("/a#b", "a#b")],
  ["/a b", badSegment("/a b", "a b")],
  ["/a\\b", badSegment("/a\\b", "a\\b")],
  ["/a%20b", badSegment("/a%20b", "a%20b")],
  ["/a/../b", badSegment("/a/../b", "..")],
  ["/./b", badSegment("/./b", ".")],
];

function badSegment(pattern: string, segment: string): string {
  return `Invalid segment "${segment}" in the route path "${pattern}": use plain text, {name} or {rest...}.`;
}

for (const [pattern, message] of refused) {
  test(`the pattern ${JSON.stringify(pattern)} is refused`, () => {
    assert.throws(() => parsePattern(pattern), { constructor: RouteError, message });
  });
}

const joined: [prefix: string, path: string, result: string][] = [
  ["", "/todos", "/todos"],
  ["", "todos", "/todos"],
  ["", "/", "/"],
  ["", "", "/"],
  ["/", "/", "/"],
  ["/", "", "/"],
  ["/", "/todos", "/todos"],
  ["///", "/", "/"],
  ["/api", "/todos", "/api/todos"],
  ["/api/", "/todos", "/api/todos"],
  ["/api", "todos", "/api/todos"],
  ["/api//", "//todos", "/api/todos"],
  ["/api", "/todos/", "/api/todos/"],
  // Below a prefix, nothing and "/" both mean the prefix itself.
  ["/api", "/", "/api"],
  ["/api", "", "/api"],
  ["/api/", "/", "/api"],
  ["/api/", "", "/api"],
];

for (const [prefix, path, result] of joined) {
  test(`${JSON.stringify(path)} below ${JSON.stringify(prefix)} is ${result}`, () => {
    assert.equal(joinPaths(prefix, path), result);
  });
}

const hostile: [url: string, isHostile: boolean][] = [
  ["/", false],
  ["/a/b?c=d", false],
  ["/a.b/c..d/...", false],
  ["/.well-known/security.txt", false],
  ["/a%20b/%C3%A9", false],
  ["/a?next=/../b", false],
  ["/a?x=%00", false],
  ["/a?x=%zz", false],
  ["/a?x=#", false],
  ["/%252e%252e/", false],
  ["/..", true],
  ["/a/../b", true],
  ["/a/./b", true],
  ["/a/.", true],
  ["/%2e%2e/b", true],
  ["/a%2f..%2fb", true],
  ["/%2e%2e%2fb", true],
  ["/..%5cb", true],
  ["/a\\..\\b", true],
  ["/a%5c..%5cb", true],
  ["/a%00b", true],
  ["/%zz", true],
  ["/%", true],
  ["/%ff", true],
  ["/a#b", true],
  ["/a#b?c", true],
];

for (const [url, isHostile] of hostile) {
  test(`the request target ${url} is ${isHostile ? "refused" : "let through"}`, () => {
    assert.equal(isHostilePath(url), isHostile);
  });
}

test("the names of a pattern are known as a type", () => {
  const names: [
    PathParams<"/users/{id}/files/{rest...}">,
    PathParams<"/users/{id}/files/{rest...}">,
    PathParams<string>,
  ] = ["id", "rest", "anything"];
  // @ts-expect-error: "nope" is not in the pattern
  const wrong: PathParams<"/users/{id}"> = "nope";
  // @ts-expect-error: nothing is
  const none: PathParams<"/users"> = "id";
  assert.equal([...names, wrong, none].length, 5);
});
