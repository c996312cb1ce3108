import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { indentJson, problemOfJson } from "./json-text.ts";

describe("JSON for reading", () => {
  const samples = [
    {},
    [],
    "a",
    null,
    { a: [], b: {}, c: [1, { d: null }], "e:{[,": 'x"y\\' },
    [[[]], [true, false], -1.5e-7],
  ];
  for (const sample of samples) {
    const text = JSON.stringify(sample);
    it(`is written as it would be for ${text}`, () => {
      assert.equal(indentJson(text), JSON.stringify(sample, null, 2));
      assert.equal(indentJson(JSON.stringify(sample, null, "\t")), JSON.stringify(sample, null, 2));
    });
  }

  it("keeps numbers, keys and their order as they were sent", () => {
    const text = '{"b":12345678901234567890,"2":1.0,"1":0,"b":1e400}';
    assert.equal(
      indentJson(text),
      '{\n  "b": 12345678901234567890,\n  "2": 1.0,\n  "1": 0,\n  "b": 1e400\n}',
    );
  });

  it("stops at the limit", () => {
    const made = indentJson(JSON.stringify(Array.from({ length: 10_000 }, () => 1)), 100);
    assert.ok(made.length > 100 && made.length < 120, String(made.length));
  });

  it("reports syntax errors", () => {
    assert.equal(problemOfJson('{"a":1}'), undefined);
    assert.match(problemOfJson('{"a":}')!, /^This is not JSON: /);
  });
});
