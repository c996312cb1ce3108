import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toCsv } from "./csv.ts";

describe("comma-separated values", () => {
  it("quotes cells that would break a row, and leaves missing ones empty", () => {
    const rows = [
      ['a "b", c', 1.5, undefined],
      ["two\nlines", true, null],
    ];
    assert.equal(toCsv(["x", "y", "z"], rows), 'x,y,z\r\n"a ""b"", c",1.5,\r\n"two\nlines",true,\r\n');
  });

  it("escapes text that looks like a formula, and leaves numbers unchanged", () => {
    const dangerous = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "|calc"];
    for (const text of dangerous) assert.equal(toCsv([], [[text]]), `\r\n'${text}\r\n`);
    assert.equal(toCsv([], [[-1, "a=b", "a-b"]]), "\r\n-1,a=b,a-b\r\n");
  });
});
