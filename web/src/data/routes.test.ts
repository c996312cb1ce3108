import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { urlOf } from "./routes.ts";

describe("the URL of a route", () => {
  const cases: [Parameters<typeof urlOf>, string][] = [
    [["/logs"], "/logs"],
    [["/logs", { limit: 1, text: undefined }], "/logs?limit=1"],
    [["/jobs/{id}", { id: "a/b c" }], "/jobs/a%2Fb%20c"],
    [["/jobs/{id}?view=full", { id: "x", page: 2 }], "/jobs/x?view=full&page=2"],
    [["/logs", { where: ["a:1", "b:2"], not: [] }], "/logs?where=a%3A1&where=b%3A2"],
  ];
  for (const [given, expected] of cases) {
    it(`is ${expected}`, () => assert.equal(urlOf(...given), expected));
  }
});
