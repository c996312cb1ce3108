import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRequestBlock, type TestRequest } from "../../testing/request-block.ts";
import { createMatcher } from "./matcher.ts";
import type { FieldValue, LogQuery } from "./query.ts";

/** Matches each line of a block, like a search. */
function select(lines: string, query: LogQuery): string[] {
  const matcher = createMatcher(query);
  if (!matcher.mayMatch(lines)) return [];
  return lines
    .trimEnd()
    .split("\n")
    .filter((line) => matcher.mayMatchLine(line) && matcher.matches(JSON.parse(line)));
}

async function pathsOf(requests: TestRequest[], query: LogQuery): Promise<string[]> {
  const { bytes } = await createRequestBlock(...requests);
  return select(bytes.toString(), query).map((line) => JSON.parse(line).path);
}

describe("filters for requests", () => {
  const requests: TestRequest[] = [
    { path: "/a", statusCode: 200, durationMs: 0.85, method: "GET" },
    { path: "/b", statusCode: 404, durationMs: 12.34, method: "POST" },
    { path: "/b/404", statusCode: 499, durationMs: 999.99, method: "GET" },
    { path: "/c/1/d", statusCode: 500, durationMs: 4_020, method: "DELETE" },
    { path: '/"status":"404', statusCode: 204, durationMs: 90_000, method: "PATCH" },
    { path: "/Über\\weg", statusCode: 301, durationMs: 1, method: "PUT", userAgent: '"method":"POST"' },
  ];
  const scenarios: { query: LogQuery; found: string[] }[] = [
    { query: { status: 404 }, found: ["/b"] },
    { query: { status: "4xx" }, found: ["/b", "/b/404"] },
    { query: { status: "2xx" }, found: ["/a", '/"status":"404'] },
    { query: { status: 418 }, found: [] },
    { query: { method: "POST" }, found: ["/b"] },
    { query: { method: "get" }, found: ["/a", "/b/404"] },
    { query: { path: "/b" }, found: ["/b"] },
    { query: { path: "/b*" }, found: ["/b", "/b/404"] },
    { query: { path: "/c/{id}/d" }, found: ["/c/1/d"] },
    { query: { path: "*40*" }, found: ["/b/404", '/"status":"404'] },
    { query: { path: '/"status":"404' }, found: ['/"status":"404'] },
    { query: { path: "/Über\\weg" }, found: ["/Über\\weg"] },
    { query: { path: "/Über{rest...}" }, found: [] },
    { query: { path: "/Ü*\\*" }, found: ["/Über\\weg"] },
    { query: { path: "/über*" }, found: [] },
    { query: { minDurationMs: 1_000 }, found: ["/c/1/d", '/"status":"404'] },
    { query: { maxDurationMs: 1 }, found: ["/a", "/Über\\weg"] },
    { query: { minDurationMs: 0.85, maxDurationMs: 12.34 }, found: ["/a", "/b", "/Über\\weg"] },
    { query: { minDurationMs: 0.851, maxDurationMs: 12.33 }, found: ["/Über\\weg"] },
    { query: { minDurationMs: 4_020, maxDurationMs: 4_020 }, found: ["/c/1/d"] },
    { query: { status: "4xx", method: "GET", minDurationMs: 100, path: "/b/*" }, found: ["/b/404"] },
    { query: { status: "4xx", text: "POST" }, found: ["/b"] },
    { query: { event: "http_request", status: 500 }, found: ["/c/1/d"] },
    {
      query: { not: [{ field: "status", value: "404" }] },
      found: ["/a", "/b/404", "/c/1/d", '/"status":"404', "/Über\\weg"],
    },
    {
      query: { not: [204, 301, 404, 499].map((value) => ({ field: "status", value })) },
      found: ["/a", "/c/1/d"],
    },
    { query: { where: [{ field: "status", value: "404" }] }, found: ["/b"] },
    { query: { where: [{ field: "status", value: "404 Not Found" }] }, found: ["/b"] },
    { query: { where: [{ field: "status", value: "40" }] }, found: [] },
    { query: { event: "log" }, found: [] },
  ];
  for (const { query, found } of scenarios) {
    it(`${JSON.stringify(query)} finds ${found.length}`, async () => {
      assert.deepEqual(await pathsOf(requests, query), found);
    });
  }

  it("find nothing in records of an application that only look like requests", () => {
    const lines = [
      { event: "log", status: "404 Not Found", method: "GET", path: "/a", duration: "5ms" },
      { event: "http_request", status: 404, method: "get", path: ["/a"], duration: 5 },
      { event: "log", inner: { event: "http_request", status: "404 Not Found", method: "GET", path: "/a" } },
    ].map((record) => JSON.stringify(record));
    const queries: LogQuery[] = [{ status: 404 }, { method: "get" }, { path: "/a" }, { minDurationMs: 1 }];
    for (const query of queries) assert.deepEqual(select(lines.join("\n"), query), []);
  });
});

describe("a text", () => {
  const scenarios: { text: string; paths: string[]; found: string[] }[] = [
    { text: "TODOS", paths: ["/todos", "/tod"], found: ["/todos"] },
    { text: "über", paths: ["/Über", "/über", "/ÜBER", "/uber"], found: ["/Über", "/über", "/ÜBER"] },
    { text: "Ünïcode Ω", paths: ["/ünïcode ω", "/ünïcode w"], found: ["/ünïcode ω"] },
    { text: "𝒳", paths: ["/𝒳", "/\ud835"], found: ["/𝒳"] },
    { text: "00fc", paths: ["/ü", "/00fc"], found: ["/00fc"] },
    { text: "ü\\u00fc", paths: ["/ü\\u00fc", "/üü"], found: ["/ü\\u00fc"] },
    { text: 'say "hi"\n\\', paths: ['/say "hi"\n\\', "/say hi"], found: ['/say "hi"\n\\'] },
    { text: "\x7f", paths: ["/\x7f", "/7f"], found: ["/\x7f"] },
    { text: "\u001b[31m", paths: ["/\u001b[31m", "/[31m"], found: ["/\u001b[31m"] },
  ];
  for (const { text, paths, found } of scenarios) {
    it(`${JSON.stringify(text)} is found in any case, and only where it is`, async () => {
      const requests = paths.map((path) => ({ path }));
      assert.deepEqual(await pathsOf(requests, { text }), found);
    });
  }

  it("is looked for in names, numbers and however deep", () => {
    const records = [
      { a: { "Deep Name": 1 } },
      { a: [{ b: "x deep name y" }] },
      { a: 17.25 },
      { a: null },
      { a: true },
    ];
    const lines = records.map((record) => JSON.stringify(record)).join("\n");
    const count = (text: string) => select(lines, { text }).length;
    assert.deepEqual(["deep name", "7.2", "null", "TRUE", "false"].map(count), [2, 1, 1, 1, 0]);
  });
});

describe("a level", () => {
  it("is that of the record, whatever else is called so in it", () => {
    const lines = [
      { level: "DEBUG", msg: "a", data: { level: "ERROR" } },
      { level: "WARN", msg: "b" },
      { level: "ERROR", msg: "c" },
      { level: "INFO", msg: '"level":"WARN"' },
    ].map((record) => JSON.stringify(record));
    const find = (query: LogQuery) => select(lines.join("\n"), query).map((line) => JSON.parse(line).msg);
    assert.deepEqual(find({ level: "warn" }), ["b", "c"]);
    assert.deepEqual(find({ level: 4 }), ["b", "c"]);
    assert.deepEqual(find({ levels: [-4, "error"] }), ["a", "c"]);
    assert.deepEqual(find({ where: [{ field: "level", value: 8 }] }), ["c"]);
    assert.throws(() => find({ level: 5 as never }), /Invalid log level "5"/);
  });
});

describe("the value of a field", () => {
  const records = [
    { name: "nothing" },
    { name: "text", a: "17", say: 'a "quoted" \\ naïve 漢' },
    { name: "number", a: 17, b: { c: { d: "deep" } } },
    { name: "list", a: [17, "x"], b: null, "b.c": { d: "dotted" } },
    { name: "object", a: { x: "1", y: [true] }, b: { c: true } },
    { name: "empty", a: "", b: { c: "a:b" } },
  ];
  const lines = records.map((record) => JSON.stringify(record));
  // Like request records, with all other characters than ASCII escaped.
  const escaped = lines.map((line) => line.replace("ï", "\\u00ef").replace("漢", "\\u6f22"));
  const scenarios: [field: string, value: FieldValue["value"], found: string[]][] = [
    ["a", "17", ["text", "number"]],
    ["a", 17, ["text", "number"]],
    ["a", "1", []],
    ["a", "", ["empty"]],
    ["a.0", "17", ["list"]],
    ["a.x", "1", ["object"]],
    ["a", '{"x":"1","y":[true]}', ["object"]],
    ["a", '[17,"x"]', ["list"]],
    ["b", null, ["list"]],
    ["b.c", true, ["object"]],
    ["b.c", "a:b", ["empty"]],
    ["b.c.d", "deep", ["number"]],
    ["b.c.d", "dotted", ["list"]],
    ["say", 'a "quoted" \\ naïve 漢', ["text"]],
    ["say", 'A "quoted" \\ naïve 漢', []],
    ["length", "1", []],
    ["a.length", "2", []],
    ["__proto__", "null", []],
    ["constructor.name", "Object", []],
    ["", "17", []],
    [".", "17", []],
  ];
  for (const [field, value, found] of scenarios) {
    it(`${field}:${value} is included in ${found.length}, and excluded from the others`, () => {
      const names = (query: LogQuery) =>
        [lines, escaped].map((some) => select(some.join("\n"), query).map((line) => JSON.parse(line).name));
      const others = records.map(({ name }) => name).filter((name) => !found.includes(name));
      assert.deepEqual(names({ where: [{ field, value }] }), [found, found]);
      assert.deepEqual(names({ not: [{ field, value }] }), [others, others]);
    });
  }

  it("must be right in all that is asked", () => {
    const count = (query: LogQuery) => select(lines.join("\n"), query).length;
    const seventeen = { field: "a", value: 17 };
    assert.equal(count({ where: [seventeen, { field: "name", value: "text" }] }), 1);
    assert.equal(count({ where: [seventeen], not: [{ field: "name", value: "text" }] }), 1);
    assert.equal(count({ not: [seventeen, { field: "name", value: "empty" }] }), 3);
  });
});
