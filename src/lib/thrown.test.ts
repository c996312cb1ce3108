import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readErrorChain } from "./errors/error-chain.ts";
import { createToPlain } from "./redaction/plain-data.ts";
import { defaultRedactor } from "./redaction/redactor.ts";
import { hostileValues } from "./testing/hostile-values.ts";
import { messageOf } from "./thrown.ts";

const toPlain = createToPlain(defaultRedactor);

describe("values that are hard to print", () => {
  for (const [name, create] of Object.entries(hostileValues)) {
    it(`${name}: as data of bounded size`, () => {
      const text = JSON.stringify({ value: toPlain({ value: create() }).value });
      assert.ok(text.length < 100_000, `${text.length} characters`);
    });

    it(`${name}: as a chain of errors of bounded size`, () => {
      const chain = readErrorChain(create(), defaultRedactor);
      assert.equal(typeof chain.message, "string");
      assert.ok(JSON.stringify(chain).length < 100_000);
      assert.ok(chain.causes.length <= 21);
    });
  }

  for (const [name, expected] of [
    ["a revoked proxy", "[revoked proxy]"],
    ["a proxy with ten million keys", "[proxy]"],
    ["an object with throwing getters", { value: "[unreadable]" }],
    ["an object without a prototype", { a: 1 }],
    ["a circular object", { name: "circle", self: "[circular]" }],
    ["a symbol", "Symbol(hostile)"],
    ["a bigint", "1180591620717411303424"],
    ["an invalid date", { at: "[invalid date]" }],
    ["typed arrays", { floats: "[8000 bytes]", view: "[8 bytes]" }],
    ["a stream and a socket", { stream: "[Readable]", socket: "[Socket]" }],
  ] as const)
    it(`${name} is readable`, () => assert.deepEqual(toPlain(hostileValues[name]!()).value, expected));

  it("errors of another realm are errors", () => {
    const { type, message } = readErrorChain(hostileValues["an error of another realm"]!(), defaultRedactor);
    assert.deepEqual([type, message], ["TypeError", "elsewhere"]);
  });
});

describe("a chain of errors", () => {
  it("lists causes and aggregated errors in order, with type, message and frames", () => {
    const inner = new RangeError("inner", { cause: "just text" });
    const error = new AggregateError([new Error("one"), new TypeError("two")], "outer", { cause: inner });
    const { causes, ...first } = readErrorChain(error, defaultRedactor);
    assert.deepEqual([first.type, first.message], ["AggregateError", "outer"]);
    assert.deepEqual(
      causes.map(({ relation, type, message }) => [relation, type, message]),
      [
        ["cause", "RangeError", "inner"],
        ["cause", "string", "just text"],
        ["error", "Error", "one"],
        ["error", "TypeError", "two"],
      ],
    );
    assert.match(causes[0]!.stack, /^RangeError: inner\n {4}at .*thrown\.test/);
    assert.match(causes[0]!.stack, /\n {4}… \d+ frames as above$/);
  });

  it("ends at an error that it has already shown", () => {
    const chain = readErrorChain(hostileValues["an error that is its own cause"]!(), defaultRedactor);
    assert.deepEqual(
      chain.causes.map(({ message }) => message),
      ["[circular]"],
    );
  });

  it("says when causes were left out", () => {
    const { causes } = readErrorChain(hostileValues["a chain of ten thousand causes"]!(), defaultRedactor);
    assert.equal(causes.at(-1)!.message, "More causes were omitted.");
  });

  it("contains no secrets of a message that was replaced", () => {
    const error = Object.assign(new Error("password=canary was refused"), { message: "refused" });
    assert.doesNotMatch(JSON.stringify(readErrorChain(error, defaultRedactor)), /canary/);
  });

  it("contains no secrets", () => {
    const cause = new Error("connect postgres://ada:canary@db/x failed");
    const text = JSON.stringify(readErrorChain(new Error("GET /x?token=canary", { cause }), defaultRedactor));
    assert.doesNotMatch(text, /canary/);
    assert.match(text, /token=\[redacted\]/);
  });
});

describe("the message of a thrown value", () => {
  for (const [title, thrown, message] of [
    ["an error", new TypeError("no such table"), "no such table"],
    ["a text", "no such table", "no such table"],
    ["an object", { message: "no such table" }, "[Object]"],
    [
      "an error whose message cannot be read",
      Object.defineProperty(new Error(), "message", { get: fail }),
      "[unreadable]",
    ],
  ] as const)
    it(`is read: ${title}`, () => assert.equal(messageOf(thrown), message));

  function fail(): never {
    throw new Error("getter");
  }
});
