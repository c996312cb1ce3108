import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeRegExp } from "./regexp-patterns.ts";

describe("the patterns of a regular expression", () => {
  const cases: [regexp: RegExp, names: string[], patterns: string[]][] = [
    // Version 5 of Express.
    [/^(?:\/users\/([^/]+))(?:\/$)?(?=\/|$)/i, ["id"], ["/users/{id}"]],
    [/^(?:\/a|\/b\/([^/]+))(?:\/$)?$/i, ["id"], ["/a", "/b/{id}"]],
    // biome-ignore lint/correctness/noEmptyCharacterClassInRegex: Express writes it like this
    [/^(?:\/files\/([^]+))(?:\/$)?$/, ["path"], ["/files/{path...}"]],
    // Version 4 of Express.
    [/^\/users\/(?:([^/]+?))\/?(?=\/|$)/i, ["id"], ["/users/{id}"]],
    [/^\/a\/?(?=\/|$)|^\/b\/(?:([^/]+?))\/?(?=\/|$)/i, ["id"], ["/a", "/b/{id}"]],
    [/^\/users(?:\/([^/]+?))?\/?$/i, ["id"], ["/users/{id}"]],
    [/^\/files\/(.*)\/?$/i, ["0"], ["/files/{0...}"]],
    [/^\/digits\/(?:(\d+))\/?$/i, ["id"], ["/digits/{id}"]],
    [/^\/a\.b\/(?:([^/]+?))\.(?:([^/.]+?))\/?$/i, ["name", "ext"], ["/a.b/{name}.{ext}"]],
    // Written by a person.
    [/^\/v(?<version>\d+)\/x$/, [], ["/v{version}/x"]],
    [/^\/(a|b)(?:[)\]]+)?/, [], ["/(^\\/(a|b)(?:[)\\]]+)?)"]],
    [/[ab]+/, [], ["/([ab]+)"]],
    [/^\/\d+$/, [], ["/(^\\/\\d+$)"]],
    [/^\/a+$/, [], ["/(^\\/a+$)"]],
    [/^\/a{2}$/, [], ["/(^\\/a{2}$)"]],
    [/.*fly$/, [], ["/(.*fly$)"]],
  ];
  for (const [regexp, names, patterns] of cases) {
    it(`${regexp} is ${patterns.join(" and ")}`, () =>
      assert.deepEqual(describeRegExp(regexp, names), patterns));
  }

  it("is the expression itself if there would be too many", () => {
    const many = new RegExp(`^${"(?:a|b)".repeat(5)}$`);
    assert.deepEqual(describeRegExp(many, []), [`/(${many.source})`]);
  });
});
