import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Output, parseOutput } from "./output.ts";

describe("the output of a run", () => {
  it("is a JSON array of levels and messages", () => {
    const output = new Output();
    assert.equal(output.toString(), "[]");
    output.append("info", 'a "quoted" 漢字 \u0000 \ud800 message');
    output.append("error", "");
    assert.deepEqual(JSON.parse(output.toString()), [
      { level: "info", message: 'a "quoted" 漢字 \u0000 \ud800 message' },
      { level: "error", message: "" },
    ]);
    assert.ok(!output.toString().includes("\u0000"), "PostgreSQL keeps no U+0000");
  });

  it("stores the beginning and the end of a long output, and the number of omitted entries", () => {
    const output = new Output();
    for (let index = 0; index < 100_000; index++) output.append("info", `entry ${index}`);
    const entries = JSON.parse(output.toString()) as { level: string; message: string }[];
    assert.ok(output.toString().length < 100_000);
    assert.equal(entries[0]!.message, "entry 0");
    assert.equal(entries.at(-1)!.message, "entry 99999");
    const gap = entries.findIndex(({ message }) => message.startsWith("…"));
    const [, missing] = /(\d+) entries were left out/.exec(entries[gap]!.message)!;
    assert.equal(Number(missing) + entries.length - 1, 100_000);
    assert.equal(entries[gap + 1]!.message, `entry ${gap + Number(missing)}`);
  });

  it("truncates a long message in the middle", () => {
    const output = new Output();
    output.append("info", `begin ${"x".repeat(1_000_000)} end`);
    const [{ message }] = JSON.parse(output.toString()) as [{ message: string }];
    assert.ok(message.length < 10_000);
    assert.match(message, /^begin x+ … 991818 characters were left out here … x+ end$/);
  });

  it("can be followed from any entry on", () => {
    const output = new Output();
    output.append("info", "one");
    output.append("info", "two");
    let rings = 0;
    const end = output.watch(() => rings++);
    output.append("warn", "three");
    end();
    output.append("warn", "four");
    assert.equal(rings, 1);
    assert.deepEqual(
      output.after(2).map(({ number, message }) => `${number} ${message}`),
      ["3 three", "4 four"],
    );
    assert.deepEqual(output.after(4), []);
  });

  it("is read back from the store with its numbers", () => {
    const output = new Output();
    for (let index = 0; index < 10_000; index++) output.append("info", `entry ${index}`);
    assert.deepEqual(parseOutput(output.toString()), output.after(0));
    assert.equal(parseOutput(output.toString()).at(-1)!.number, 10_000);
  });
});
