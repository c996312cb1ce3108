import assert from "node:assert/strict";
import { describe, it } from "node:test";
import crawlers from "crawler-user-agents";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import type { Limits } from "../messages.ts";
import { createAgents, describeAgent } from "./agents.ts";
import { crawlerName, findCrawler } from "./crawlers.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

describe("an agent", () => {
  for (const [what, agent, browser, os, device] of [
    [
      "Chrome on Windows",
      `(Windows NT 10.0; Win64; x64) ${webkit} Chrome/128.0.0.0 Safari/537.36`,
      "Chrome",
      "Windows",
      "desktop",
    ],
    [
      "Chrome on a Mac",
      `(Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/128.0.0.0 Safari/537.36`,
      "Chrome",
      "macOS",
      "desktop",
    ],
    [
      "Chrome on Linux",
      `(X11; Linux x86_64) ${webkit} Chrome/128.0.0.0 Safari/537.36`,
      "Chrome",
      "Linux",
      "desktop",
    ],
    [
      "Chrome on a Chromebook",
      `(X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/128.0.0.0 Safari/537.36`,
      "Chrome",
      "Chrome OS",
      "desktop",
    ],
    [
      "Chrome on a phone",
      `(Linux; Android 10; K) ${webkit} Chrome/128.0.0.0 Mobile Safari/537.36`,
      "Chrome",
      "Android",
      "mobile",
    ],
    [
      "Chrome on a tablet",
      `(Linux; Android 13; SM-X906C) ${webkit} Chrome/128.0.0.0 Safari/537.36`,
      "Chrome",
      "Android",
      "tablet",
    ],
    [
      "Edge",
      `(Windows NT 10.0; Win64; x64) ${webkit} Chrome/128.0.0.0 Safari/537.36 Edg/128.0.0.0`,
      "Microsoft Edge",
      "Windows",
      "desktop",
    ],
    [
      "Firefox on Windows",
      "(Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0",
      "Firefox",
      "Windows",
      "desktop",
    ],
    [
      "Firefox on a Mac",
      "(Macintosh; Intel Mac OS X 10.15; rv:128.0) Gecko/20100101 Firefox/128.0",
      "Firefox",
      "macOS",
      "desktop",
    ],
    [
      "Firefox on a phone",
      "(Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0",
      "Firefox",
      "Android",
      "mobile",
    ],
    [
      "Safari on a Mac",
      "(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
      "Safari",
      "macOS",
      "desktop",
    ],
    [
      "Safari on an iPhone",
      "(iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      "Safari",
      "iOS",
      "mobile",
    ],
    [
      "Safari on an iPad",
      "(iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      "Safari",
      "iOS",
      "tablet",
    ],
    [
      "Samsung's browser",
      `(Linux; Android 13; SAMSUNG SM-S911B) ${webkit} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
      "Samsung Internet for Android",
      "Android",
      "mobile",
    ],
    [
      "Opera",
      `(Windows NT 10.0; Win64; x64) ${webkit} Chrome/127.0.0.0 Safari/537.36 OPR/113.0.0.0`,
      "Opera",
      "Windows",
      "desktop",
    ],
  ] as const) {
    it(`is known as ${what}`, () => {
      assert.deepEqual(describeAgent(`Mozilla/5.0 ${agent}`), { kind: "human", browser, os, device });
    });
  }

  for (const [agent, kind, name] of [
    ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "bot", "Googlebot"],
    [
      `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) ${webkit} Chrome/128.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
      "bot",
      "Googlebot",
    ],
    ["Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "bot", "bingbot"],
    [
      "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
      "bot",
      "facebookexternalhit",
    ],
    ["Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", "bot", "AhrefsBot"],
    ["curl/8.4.0", "bot", "curl"],
    ["Wget/1.21.4", "bot", "Wget"],
    ["python-requests/2.32.3", "bot", "python-requests"],
    ["Go-http-client/2.0", "bot", "Go-http-client"],
    ["axios/1.7.2", "bot", "axios"],
    ["node", "bot", "Other bot"],
    ["", "bot", "No agent"],
    [" ", "bot", "No agent"],
    [`Mozilla/5.0 ${webkit}; compatible; GPTBot/1.2; +https://openai.com/gptbot)`, "ai", "GPTBot"],
    [`Mozilla/5.0 ${webkit}; compatible; ChatGPT-User/1.0; +https://openai.com/bot`, "ai", "ChatGPT-User"],
    ["Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)", "ai", "ClaudeBot"],
    ["CCBot/2.0 (https://commoncrawl.org/faq/)", "ai", "CCBot"],
    [
      `Mozilla/5.0 ${webkit}; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)`,
      "ai",
      "PerplexityBot",
    ],
    [
      "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
      "ai",
      "meta-externalagent",
    ],
  ] as const) {
    it(`is the program ${name}: ${agent.slice(0, 60)}`, () => {
      assert.deepEqual(describeAgent(agent), { kind, browser: name, os: "", device: "" });
    });
  }

  for (const agent of [
    "<script>alert(1)</script>",
    "<script>alert(1)</script>/1.0 (<b>x</b>) ",
    "'; drop table visitors; --",
    "\u0001\u0002\u001b[31m",
    "\xff\xfe\xfd",
    `Evil${"/".repeat(500)} `,
    "x".repeat(8_192),
  ]) {
    it(`is not repeated: ${JSON.stringify(agent.slice(0, 40))}`, () => {
      const words = Object.values(describeAgent(agent));
      for (const word of words) assert.match(word, /^(|[A-Z][a-z]+( [a-z]+)?|human|bot|other|desktop)$/);
    });
  }
});

describe("a crawler", () => {
  it("has a short and readable name, whatever the pattern", () => {
    for (const { pattern } of crawlers) {
      const name = crawlerName(pattern);
      assert.match(name, /^[^\\^$*?[\]{}|]{1,40}$/, pattern);
    }
  });

  it("is found by every agent that its pattern was made for", () => {
    for (const { instances } of crawlers) {
      for (const instance of instances) assert.notEqual(findCrawler(instance), undefined, instance);
    }
  });
});

describe("agents", () => {
  const start = () => {
    const clock = new FakeClock("2026-11-15T12:00:00Z");
    const limits = { unparsedAgents: 0 } as Limits;
    return { clock, limits, agentOf: createAgents(clock, limits) };
  };

  it("are parsed once", () => {
    const { agentOf } = start();
    assert.equal(agentOf("curl/8.4.0"), agentOf("curl/8.4.0"));
  });

  it("are removed from the cache after many others, unless they were used again", () => {
    const { agentOf, clock } = start();
    const [often, once] = [agentOf("curl/1"), agentOf("curl/2")];
    for (let index = 0; index < 4_000; index++) {
      agentOf(`curl/9.${index}`);
      agentOf("curl/1");
      if (index % 1_000 === 0) clock.jump(1_000);
    }
    assert.equal(agentOf("curl/1"), often);
    clock.jump(1_000);
    assert.notEqual(agentOf("curl/2"), once);
  });

  it("are not parsed if there are too many new ones in a second", () => {
    const { agentOf, clock, limits } = start();
    for (let index = 0; index < 2_000; index++) agentOf(`Googlebot/2.${index}`);
    assert.equal(limits.unparsedAgents, 0);
    assert.equal(agentOf("Googlebot/3").browser, "Other bot");
    assert.equal(agentOf("Googlebot/2.1999").browser, "Googlebot");
    assert.equal(limits.unparsedAgents, 1);
    clock.jump(1_000);
    assert.equal(agentOf("Googlebot/3").browser, "Googlebot");
  });
});
