import assert from "node:assert/strict";
import { STATUS_CODES } from "node:http";
import { describe, it } from "node:test";
import { urlOf } from "../data/routes.ts";
import { isAboutLevelsOnly, isSearchable, toSearchParams } from "./params.ts";
import { parseQuery, recordWords, requestWords } from "./parse.ts";
import { addToken, formatToken, setToken, splitTokens } from "./tokens.ts";

const parse = (text: string) => parseQuery(text, recordWords);
const nothing = { where: [], not: [] };

describe("a query", () => {
  for (const [text, filter] of [
    ["", {}],
    ["status:5xx", { status: "5xx" }],
    ["status:404 method:post", { status: "404", method: "POST" }],
    ["path:/api/*", { path: "/api/*" }],
    ['route:"GET /todos/{id}"', { route: "GET /todos/{id}" }],
    ['route:"GET (unknown route)"', { route: "GET (unknown route)" }],
    ["dur:>200ms", { minDurationMs: 200 }],
    ["dur:>=1.5s", { minDurationMs: 1_500 }],
    ["dur:<50", { maxDurationMs: 50 }],
    ["dur:850µs..2s", { minDurationMs: 0.85, maxDurationMs: 2_000 }],
    ["dur:>100ms dur:<1s", { minDurationMs: 100, maxDurationMs: 1_000 }],
    ["trace:q3WdXwZbK0u8mTf1Ra", { trace: "q3WdXwZbK0u8mTf1Ra" }],
    ["event:error level:warn,error", { event: "error", levels: ["warn", "error"] }],
    ["level:error level:debug", { levels: ["debug", "error"] }],
    ["level:>=warn", { levels: ["warn", "error"] }],
    [
      "user.id:7 -msg:Paid",
      { where: [{ field: "user.id", value: "7" }], not: [{ field: "msg", value: "Paid" }] },
    ],
    ["-status:404", { not: [{ field: "status", value: "404" }] }],
    ['-status:"404 Not Found"', { not: [{ field: "status", value: "404" }] }],
    ['status:"404 Not Found"', { status: "404" }],
    ["-level:debug", { not: [{ field: "level", value: "debug" }] }],
    ["out of memory", { text: "out of memory" }],
    ["memory status:500 low", { text: "memory low", status: "500" }],
    ['"a \\"b\\" \\\\c"', { text: 'a "b" \\c' }],
    ['msg:"two words"', { where: [{ field: "msg", value: "two words" }] }],
    ['"odd name":1', { where: [{ field: "odd name", value: "1" }] }],
    ['"status":late', { where: [{ field: "status", value: "late" }] }],
    ['note:""', { where: [{ field: "note", value: "" }] }],
    ["https://example.com/x 14:03:27", { text: "https://example.com/x 14:03:27" }],
    ["url:http://a:80/", { where: [{ field: "url", value: "http://a:80/" }] }],
    ["a - b", { text: "a - b" }],
  ] as const) {
    it(`understands ${text || "nothing"}`, () => {
      assert.deepEqual(parse(text), { filter: { ...nothing, ...filter }, problems: [] });
    });
  }

  it("can exclude every status code", () => {
    for (const code of [...Object.keys(STATUS_CODES), "499", "599"]) {
      const { filter, problems } = parse(`-status:${code}`);
      assert.deepEqual([filter.not, problems], [[{ field: "status", value: code }], []]);
    }
  });

  for (const [text, problem] of [
    ["status:abc", /404 or a class such as 5xx, not abc/],
    ["status:", /value after status:/],
    ["status:404 status:500", /used only once, but is both 404 and 500/],
    ["-status:5xx", /class cannot be excluded/],
    ["method:1", /POST, not 1/],
    ["path:api", /begins with \/ or \*/],
    ["-path:/api/*", /Only a whole path/],
    ["-route:/x", /cannot be excluded/],
    ["route:todos", /method and a pattern/],
    ["dur:fast", />200ms, <2s or 100ms\.\.2s, not fast/],
    ["-dur:>1s", /reverse the comparison/],
    ["dur:>2s dur:<1s", /more than 2000 ms and less than 1000 ms/],
    ["trace:short", /18 letters and digits; short is not one/],
    ["level:fatal", /debug, info, warn or error/],
    ["-word", /value of a field can be excluded/],
    ['msg:"open', /A quote is not closed: msg:"open/],
    ["event:error status:500", /records of event:error have none/],
    ["path:/a route:/b", /not both/],
    ['method:POST route:"GET /a"', /The route has the method GET, but method: is POST/],
    [Array.from({ length: 11 }, (_, index) => `a${index}:1`).join(" "), /At most 10/],
  ] as const) {
    it(`reports the error in ${text.slice(0, 40)}`, () => {
      const { problems } = parse(text);
      assert.equal(problems.length, 1);
      assert.match(problems[0]!, problem);
    });
  }

  it("refuses unknown fields of requests", () => {
    assert.match(
      parseQuery("level:warn", requestWords).problems[0]!,
      /level: is not a field here\. Use status/,
    );
    assert.deepEqual(parseQuery("ip:::1", requestWords).filter.where, [{ field: "ip", value: "::1" }]);
  });

  it("keeps valid parts next to invalid ones", () => {
    const { filter, problems } = parse("status:5xx level:loud");
    assert.deepEqual([filter.status, problems.length], ["5xx", 1]);
  });
});

describe("a word of a query", () => {
  it("has its position", () => {
    assert.deepEqual(
      splitTokens('  a:1 -"b c":"d e"').map(({ start, end, isNegated }) => [start, end, isNegated]),
      [
        [2, 5, false],
        [6, 18, true],
      ],
    );
  });

  for (const [field, value] of [
    ["msg", "plain"],
    ["msg", 'two "words" \\ and more'],
    ["odd name", "x"],
    ["9", "y"],
    ["a:b", "c:d"],
    ["note", ""],
    ["msg", "line\nbreak"],
  ] as const) {
    it(`is read as what was written: ${JSON.stringify([field, value])}`, () => {
      const [token, ...others] = splitTokens(formatToken(field, value, { isNegated: true }));
      assert.deepEqual(
        [token!.field, token!.value, token!.isNegated, others.length],
        [field, value, true, 0],
      );
    });
  }

  it("is added only once, and replaces its opposite", () => {
    assert.equal(addToken("x a:1", "a", "1"), "x a:1");
    assert.equal(addToken("a:1 x", "a", "1", { isNegated: true }), "x -a:1");
    assert.equal(addToken("", "a", "b c"), 'a:"b c"');
  });

  it("replaces the others of its field", () => {
    assert.equal(setToken("level:warn x level:info", "level", "error"), "x level:error");
    assert.equal(setToken("level:warn x", "level", undefined), "x");
  });
});

describe("a filter as parameters", () => {
  it("has every part", () => {
    const { filter } = parse('status:5xx path:/a dur:>1s level:warn a:1 b:2 -c:3 "some text"');
    assert.equal(
      decodeURIComponent(urlOf("", toSearchParams(filter))),
      "?status=5xx&path=/a&min_duration=1000&levels=warn&text=some+text&where=a:1&where=b:2&not=c:3",
    );
  });

  it("asks for a route by the method and the path", () => {
    const { filter } = parse('route:"GET /todos/{id}"');
    assert.equal(decodeURIComponent(urlOf("", toSearchParams(filter))), "?method=GET&path=/todos/{id}");
  });

  it("can be searched for in stored records if paths follow from its route", () => {
    const routes = ["/a", "GET /a/{id}", "(no route)", "GET (unknown route)", "GET /…/users", "GET /(fly$)"];
    const found = routes.map((route) => isSearchable({ route, where: [], not: [] }));
    assert.deepEqual(found, [true, true, false, false, false, false]);
    assert.equal(isSearchable({ where: [], not: [] }), true);
  });

  it("shows whether it contains only levels", () => {
    assert.equal(isAboutLevelsOnly(parse("level:warn").filter), true);
    assert.equal(isAboutLevelsOnly(parse("level:warn x").filter), false);
  });
});
