import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toCsv } from "./csv.ts";

describe("comma-separated values", () => {
  for (const [value, cell] of [
    ["/prices", "/prices"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\nlines", '"two\nlines"'],
    ["=1+1", "'=1+1"],
    ["+49", "'+49"],
    ["-1", "'-1"],
    ["@sum(a)", "'@sum(a)"],
    ["\t=1", "'\t=1"],
    ["\r=1", '"\'\r=1"'],
    ['=hyperlink("x","y")', '"\'=hyperlink(""x"",""y"")"'],
    ["<script>", "<script>"],
    ["", ""],
    [-5, "-5"],
    [0.25, "0.25"],
    [undefined, ""],
  ] as const) {
    it(`have ${JSON.stringify(value)} as ${cell}`, () => {
      assert.equal(toCsv(["name"], [[value]]), `name\r\n${cell}\r\n`);
    });
  }

  it("have a line for each row, and the header first", () => {
    assert.equal(
      toCsv(
        ["a", "b"],
        [
          [1, 2],
          ["x", "y"],
        ],
      ),
      "a,b\r\n1,2\r\nx,y\r\n",
    );
    assert.equal(toCsv(["a", "b"], []), "a,b\r\n");
  });
});
