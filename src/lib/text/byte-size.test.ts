import assert from "node:assert/strict";
import { test } from "node:test";
import { formatBytes } from "./byte-size.ts";

test("sizes have the unit in which they are short", () => {
  const cases: [bytes: number, text: string][] = [
    [0, "0 bytes"],
    [999, "999 bytes"],
    [1_000, "1.0 KB"],
    [1_450_000, "1.4 MB"],
    [12e9, "12.0 GB"],
    [5e15, "5000.0 TB"],
  ];
  for (const [bytes, text] of cases) assert.equal(formatBytes(bytes), text);
});
