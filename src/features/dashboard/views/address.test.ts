import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAddress } from "./address.ts";

const addresses: readonly (readonly [text: string, page: string | undefined])[] = [
  ["/_/_", undefined],
  ["/_/_?range=1h&tz=utc", undefined],
  ["/_/_/logs", "logs"],
  ["/_/_/logs?q=level%3Aerror+%22a%22&from=1&to=2", "logs"],
  ["/_/_/requests?q=//evil.example&next=https://evil.example", "requests"],
  [`/_/_/logs?q=${"x".repeat(3_988)}`, "logs"],
];
for (const [text, page] of addresses) {
  test(`${text.slice(0, 60)} is an address of the dashboard`, () => {
    assert.deepEqual(parseAddress(text), { text, page });
    assert.equal(new URL(text, "https://here.example").origin, "https://here.example");
  });
}

const others = [
  undefined,
  null,
  7,
  {},
  ["/_/_"],
  "",
  "/",
  "/_/",
  "/_/_/",
  "/_/_x",
  "/_/_/data/views",
  "/_/_/assets/main.js",
  "/_/_/logs/",
  "/_/_/LOGS",
  "/_/_/..",
  "/_/_/../sign-out",
  "/_/_/%2e%2e/sign-out",
  "/_/_/logs#top",
  "/_/_/logs?q=#top",
  "/_/_/logs?q=\\",
  "/_/_\\evil.example",
  "//_/_",
  "//evil.example/_/_",
  "/\\evil.example",
  "https://evil.example/_/_",
  "javascript:alert(1)",
  "javascript:alert(1)///_/_",
  " /_/_",
  "/_/_ ",
  "/_/_\n",
  "/_/_/logs?q=a b",
  "/_/_/logs?q=schön",
  "/_/_/logs?q=\u0000",
  "/_/_/logs?q=a\r\nSet-Cookie: a=b",
  `/_/_/logs?q=${"x".repeat(3_989)}`,
];
for (const text of others) {
  test(`${JSON.stringify(text)?.slice(0, 40)} is not an address of the dashboard`, () => {
    assert.equal(parseAddress(text), undefined);
  });
}
