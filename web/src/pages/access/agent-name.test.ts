import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nameAgent } from "./agent-name.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

describe("the words for a user agent", () => {
  for (const [agent, words] of [
    ["Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox 130 on Linux"],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36`,
      "Chrome 131 on Windows",
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
      "Edge 131 on Windows",
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${webkit} Chrome/131.0.0.0 Mobile Safari/537.36`,
      "Chrome 131 on Android",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
      "Safari 18 on macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
      "Safari 18 on iOS",
    ],
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/131.0.0.0 Safari/537.36`,
      "Headless Chrome 131 on Linux",
    ],
    ["curl/8.5.0", "curl 8.5.0"],
    ["python-requests/2.32.3", "python-requests 2.32.3"],
    ["Go-http-client/1.1", "Go-http-client 1.1"],
    ["node", "node"],
    ["", ""],
  ] as const) {
    it(`are "${words}"`, () => assert.equal(nameAgent(agent), words));
  }
});
