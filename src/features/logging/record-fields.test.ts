import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRedactor } from "../../lib/redaction/redactor.ts";
import { createToFields } from "./record-fields.ts";

const toFields = createToFields(createRedactor(["iban"]));

describe("the fields of a record", () => {
  it("never replace one of the record's own", () => {
    assert.deepEqual(toFields({ level: 3, msg: "x", time: 1, trace_id: "t", event: "own" }).fields, {
      level_: 3,
      msg_: "x",
      time_: 1,
      trace_id_: "t",
      event: "own",
    });
  });

  it("contain an error that is given in place of fields", () => {
    const { error } = toFields(new TypeError("no", { cause: new Error("why") })).fields as {
      error: { name: string; message: string; cause: { message: string } };
    };
    assert.deepEqual([error.name, error.message, error.cause.message], ["TypeError", "no", "why"]);
  });

  for (const [given, expected] of [
    [undefined, {}],
    ["text", { data: "text" }],
    [17, { data: 17 }],
    [null, { data: null }],
    [["a", "b"], { data: ["a", "b"] }],
  ] as const)
    it(`contain ${JSON.stringify(given)} as data`, () => assert.deepEqual(toFields(given).fields, expected));

  it("have a size that is never too small", () => {
    const data = { numbers: Array.from({ length: 150 }, () => Math.random()), text: "\u0000".repeat(100) };
    const { fields, size } = toFields(data);
    assert.ok(JSON.stringify(fields).length <= size * 6);
  });
});
