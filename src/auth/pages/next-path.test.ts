import assert from "node:assert/strict";
import { test } from "node:test";
import { parseNext } from "./next-path.ts";

for (const path of ["/", "/_/_", "/api/docs/v1?view=summary#top", "/a/..//b", "/%2F%2Fevil.example"]) {
  test(`${path} is a place to go to`, () => {
    assert.equal(parseNext(path, "/_/"), path);
    assert.equal(new URL(path, "https://here.example").host, "here.example");
  });
}

const elsewhere = [
  undefined,
  "",
  "_/_",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "\t//evil.example",
  " //evil.example",
  "https://evil.example/",
  "https:evil.example",
  "javascript:alert(1)",
  "/ok\r\nSet-Cookie: a=b",
  "/schön",
  "/\u0000",
  `/${"x".repeat(3000)}`,
];
for (const text of elsewhere) {
  test(`${JSON.stringify(text)?.slice(0, 40)} leads home`, () => assert.equal(parseNext(text, "/_/"), "/_/"));
}
