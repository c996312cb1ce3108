import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { packOutput, unpackOutput } from "./packed-output.ts";

const toJson = (...entries: [level: string, message: string][]) =>
  JSON.stringify(entries.map(([level, message]) => ({ level, message })));

describe("a stored output", () => {
  const outputs = {
    empty: "[]",
    usual: toJson(["start", "Collecting"], ["info", "Found 12 rows"], ["success", ""]),
    "of all levels": toJson(
      ...["start", "info", "progress", "success", "complete", "warn", "error"].map(
        (level): [string, string] => [level, `a ${level}`],
      ),
    ),
    "with lines and other characters": toJson(["error", 'one\ntwo\t\u0001\ud83d\ude00 "quoted" \\']),
    "with the separator": toJson(["info", "a\u001eb"], ["info", "c"]),
    "with a bracket": toJson(["info", "[x]"]),
    "with half of a surrogate pair": toJson(["info", "a\ud83d"]),
    "with an unknown level": toJson(["strange", "a"], ["undefined", "b"]),
    "with other fields": '[{"message":"a","level":"info"}]',
    "with spaces": '[ {"level":"info","message":"a"} ]',
    damaged: '[{"level":"info","message":"a',
    long: toJson(...Array.from({ length: 500 }, (_, row): [string, string] => ["info", `Sent row ${row}`])),
    "long and with the separator": toJson(["info", `${"x".repeat(3_000)}\u001e`]),
    "long and random": toJson([
      "info",
      Array.from({ length: 2_000 }, () => String.fromCharCode(32 + Math.random() * 60_000)).join(""),
    ]),
  };

  for (const [name, json] of Object.entries(outputs))
    it(`is returned exactly: ${name}`, () => {
      assert.equal(unpackOutput(packOutput("sqlite", json)), json);
      assert.equal(packOutput("postgres", json), json);
      assert.equal(unpackOutput(json), json, "as stored by earlier releases");
    });

  it("stays JSON if only an escape can represent it", () => {
    for (const message of ["a\ud83d", "a\u0000b"])
      assert.match(packOutput("sqlite", toJson(["info", message])) as string, /^\[/);
  });

  it("is shorter than its JSON", () => {
    const { usual, long } = outputs;
    assert.ok(packOutput("sqlite", usual).length < usual.length / 2);
    assert.ok(packOutput("sqlite", long).length < long.length / 8);
  });
});
