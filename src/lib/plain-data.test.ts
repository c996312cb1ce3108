import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createToPlain } from "./plain-data.ts";
import { createRedactor } from "./redactor.ts";

const convert = createToPlain(createRedactor(["iban"]));
const toPlain = (value: unknown) => convert(value).value as Record<string, unknown>;

describe("plain data", () => {
  it("redacts secrets by name, at any depth and in any case", () => {
    const data = {
      headers: { Authorization: "Bearer x", COOKIE: "a=b", accept: "*/*" },
      users: [{ password: "p", iban: "DE1" }],
    };
    assert.deepEqual(toPlain(data), {
      headers: { Authorization: "[redacted]", COOKIE: "[redacted]", accept: "*/*" },
      users: [{ password: "[redacted]", iban: "[redacted]" }],
    });
  });

  it("contains errors with causes and own fields, without the secrets in them", () => {
    const cause = new Error("inner");
    const error = Object.assign(new TypeError("outer", { cause }), { code: "E1", token: "t" });
    const plain = toPlain({ error }).error as Record<string, unknown>;
    assert.equal(plain.name, "TypeError");
    assert.equal(plain.message, "outer");
    assert.equal(plain.code, "E1");
    assert.equal(plain.token, "[redacted]");
    assert.match(String(plain.stack), /outer[\s\S]*plain-data\.test/);
    assert.equal((plain.cause as Record<string, unknown>).message, "inner");
  });

  it("is bounded, and has text for values that JSON lacks", () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const hostile = {
      circle,
      many: Array.from({ length: 1_000 }, (_, index) => index),
      big: 10n,
      call: () => 1,
      bytes: new Uint8Array(3),
      map: new Map([["a", 1]]),
      get broken() {
        throw new Error("no");
      },
    };
    const plain = toPlain(hostile);
    assert.deepEqual(plain.circle, { self: "[circular]" });
    assert.equal((plain.many as unknown[]).length, 200);
    assert.equal(plain.big, "10");
    assert.equal(plain.bytes, "[3 bytes]");
    assert.deepEqual(plain.map, [["a", 1]]);
    assert.match(String(plain.broken), /^\[unreadable\]$/);
  });
});
