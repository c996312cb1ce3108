import assert from "node:assert/strict";
import { test } from "node:test";
import { nameClient } from "./client-name.ts";

const cases: [agent: string | undefined, name: string][] = [
  ["Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    "Safari on iOS",
  ],
  ["curl/8.5.0", "curl"],
  ["python-requests/2.32.3", "python-requests"],
  ["node", "node"],
  ["Mozilla/5.0 (something new)", "Unknown client"],
  ['"><script>alert(1)</script>', "Unknown client"],
  ["a".repeat(500), "Unknown client"],
  ["", "Unknown client"],
  [undefined, "Unknown client"],
];
for (const [agent, name] of cases) {
  test(`${agent?.slice(0, 40)} is named ${name}`, () => assert.equal(nameClient(agent), name));
}
