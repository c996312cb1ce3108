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

  it("contains errors with causes and known fields, without the secrets in them", () => {
    const cause = new Error("inner");
    const error = Object.assign(new TypeError("outer", { cause }), { code: "E1", path: "/x?token=t" });
    const plain = toPlain({ error }).error as Record<string, unknown>;
    assert.equal(plain.name, "TypeError");
    assert.equal(plain.message, "outer");
    assert.equal(plain.code, "E1");
    assert.equal(plain.path, "/x?token=[redacted]");
    assert.match(String(plain.stack), /outer[\s\S]*plain-data\.test/);
    assert.equal((plain.cause as Record<string, unknown>).message, "inner");
  });

  it("contains no other fields of errors, wherever the errors are", () => {
    const create = (fields: object) => Object.assign(new Error("no result"), fields);
    const query = { node: { value: "canary" }, parameters: ["canary"], code: { value: "canary" } };
    const error = create({ ...query, cause: create(query), errors: [create(query), { sql: "canary" }] });
    const causes = [{ sql: "canary", code: "E1" }, [query]].map((cause) => new Error("failed", { cause }));
    const plain = toPlain({
      error,
      list: [error],
      map: new Map([["a", error]]),
      set: new Set([error]),
      causes,
    });
    assert.doesNotMatch(JSON.stringify(plain), /canary/);
    assert.deepEqual((plain.causes as { cause: unknown }[])[0]!.cause, { code: "E1" });
  });

  it("contains the fields of errors that the application names, redacted by name", () => {
    const named = createToPlain(createRedactor(["iban"], ["orderId", "customer", "apiKey", "message"]));
    const fields = { orderId: 17, customer: { id: 3, iban: "canary" }, apiKey: "canary", sql: "canary" };
    const { stack, ...rest } = named(Object.assign(new Error("unpaid"), fields)).value as { stack: string };
    assert.deepEqual(rest, {
      name: "Error",
      message: "unpaid",
      orderId: 17,
      customer: { id: 3, iban: "[redacted]" },
      apiKey: "[redacted]",
    });
  });

  it("has no secrets in maps, parameters, headers, pairs and arguments", () => {
    const canary = "canary";
    const plain = toPlain({
      map: new Map([["apiKey", canary]]),
      params: new URLSearchParams({ token: canary, page: "2" }),
      url: new URL(`https://ada:${canary}@x.test/?token=${canary}`),
      headers: new Headers({ authorization: canary, accept: "a" }),
      rawHeaders: ["Host", "x", "Authorization", canary],
      pairs: [["authorization", canary]],
      named: [{ name: "x-api-key", value: canary }],
      argv: ["--token", canary, `--api-key=${canary}`, "-u", `ada:${canary}`, "-H", `token: ${canary}`],
      iban: [canary],
      customerIban: { value: canary },
    });
    assert.doesNotMatch(JSON.stringify(plain), /canary/);
    assert.deepEqual(plain.headers, { accept: "a", authorization: "[redacted]" });
    assert.deepEqual(plain.rawHeaders, ["Host", "x", "Authorization", "[redacted]"]);
    assert.equal(plain.params, "token=[redacted]&page=2");
  });

  it("keeps flags, missing values and numbers of tokens under sensitive names", () => {
    const data = { hasPassword: true, token: null, totalTokens: 17, pin: 1234 };
    assert.deepEqual(toPlain(data), { ...data, pin: "[redacted]" });
  });

  it("keeps a field called __proto__", () => {
    const data = JSON.parse('{"__proto__":{"a":1}}');
    assert.equal(JSON.stringify(toPlain(data)), '{"__proto__":{"a":1}}');
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
