import assert from "node:assert/strict";
import { it } from "node:test";
import { isHiddenName, isSafeName } from "./requested-name.ts";

const names: [name: string, linux: boolean, windows: boolean][] = [
  ["", true, true],
  ["a.txt", true, true],
  ["a/b/c.txt", true, true],
  ["a/", true, true],
  ["a..b/...c", true, true],
  ["..", false, false],
  ["../a", false, false],
  ["a/..", false, false],
  ["a/./b", false, false],
  ["/a", false, false],
  ["a//b", false, false],
  ["a\\b", false, false],
  ["a\0b", false, false],
  ["C:/a", true, false],
  ["a.txt::$DATA", true, false],
  ["a.txt.", true, false],
  ["a.txt ", true, false],
  ["a./b", true, false],
  ["GIT~1/config", true, false],
];

for (const [name, linux, windows] of names) {
  it(`knows whether ${JSON.stringify(name)} can be a file of the folder`, () => {
    assert.equal(isSafeName(name, "linux"), linux);
    assert.equal(isSafeName(name, "win32"), windows);
  });
}

it("finds hidden parts of a path", () => {
  const hidden = [".env", "a/.b", ".a/b", "..a", ".well-known2/a", "a/.git/"];
  assert.deepEqual(hidden.filter(isHiddenName), hidden);
  assert.deepEqual(["a.b", "a/b.c", "", ".well-known/a", ".well-known"].filter(isHiddenName), []);
});
