import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cutHeaders, describeHeaders } from "./request-headers.ts";

const shownValue = (name: string, value: string) => describeHeaders([name, value])[0]!.value;
const hidden = "[redacted]";

describe("the headers of a recent request", () => {
  for (const name of [
    "Authorization",
    "PROXY-AUTHORIZATION",
    "cookie",
    "Set-Cookie",
    "X-Api-Key",
    "apikey",
    "X-CSRF-Token",
    "X-Session-Id",
    "Client_Secret",
    "x-password",
    "X-Pass",
    "X-User-Pwd",
    "X-Passphrase",
    "Cf-Access-Jwt-Assertion",
    "X-OTP",
    "Stripe-Signature",
  ]) {
    it(`hide what ${name} says`, () => {
      assert.equal(shownValue(name, "s3cr3t"), hidden);
    });
  }

  for (const [value, shown] of [
    ["Bearer abc", hidden],
    ["  basic YTpi", hidden],
    ["the token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", `the token ${hidden}`],
    [`${"x".repeat(280)} eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln`, `${"x".repeat(280)} ${hidden}…`],
    [
      "https://x.test/a?page=2&access_token=abc&b=1#c",
      `https://x.test/a?page=2&access_token=${hidden}&b=1#c`,
    ],
    ["https://x.test/cb?code=abc&state=1", `https://x.test/cb?code=${hidden}&state=1`],
    ["https://x.test/#id_token=abc", `https://x.test/#id_token=${hidden}`],
    ["https://x.test/a?sig=abc&user_pwd=x", `https://x.test/a?sig=${hidden}&user_pwd=${hidden}`],
    [
      "https://x.test/a?pass=abc&ticket=ST-1&sid=2",
      `https://x.test/a?pass=${hidden}&ticket=${hidden}&sid=${hidden}`,
    ],
    ["https://x.test/a?next=/b?pwd=abc", `https://x.test/a?next=/b?pwd=${hidden}`],
    ["https://x.test/a?design=1&passed=2", "https://x.test/a?design=1&passed=2"],
    ["https://x.test/a?page=2", "https://x.test/a?page=2"],
    ["keyboards and monkeys", "keyboards and monkeys"],
  ] as const) {
    it(`show ${value.slice(-60)} as ${shown}`, () => {
      assert.equal(shownValue("Referer", value), shown);
    });
  }

  it("are shown in the order they came, by their names in lower case, twice where they came twice", () => {
    const raw = ["Host", "x.test", "Accept", "a", "ACCEPT", "b", "__proto__", "<img src=x>"];
    assert.deepEqual(describeHeaders(raw), [
      { name: "host", value: "x.test" },
      { name: "accept", value: "a" },
      { name: "accept", value: "b" },
      { name: "__proto__", value: "<img src=x>" },
    ]);
  });

  it("are forty at most, with values of up to three hundred letters", () => {
    const raw = Array.from({ length: 300 }, (_, index) => (index % 2 ? "v".repeat(1_000) : "n".repeat(500)));
    const shown = describeHeaders(raw);
    assert.equal(shown.length, 40);
    assert.ok(shown.every(({ name, value }) => name.length === 101 && value.length === 301));
  });

  it("are unchanged if they are short, and truncated otherwise", () => {
    const usual = ["Host", "x.test", "Accept", "*/*"];
    assert.equal(cutHeaders(usual), usual);
    const many = Array.from({ length: 200 }, () => "x");
    assert.equal(cutHeaders(many).length, 80);
    const long = ["Cookie", "c".repeat(15_000), "Host", "x.test"];
    const kept = cutHeaders(long);
    assert.deepEqual([kept[1]!.length, kept[3]], [301, "x.test"]);
    const both = cutHeaders(Array.from({ length: 60 }, (_, index) => `${index}`.padEnd(300, "y")));
    assert.ok(both.length % 2 === 0 && both.length > 10);
    assert.ok(both.join("").length <= 4_096, `${both.join("").length} letters`);
  });

  it("are truncated before redaction, so that repetitions cannot slow it down", () => {
    for (const piece of ["?", "?key", "&token&", "eyJ", "=;"]) {
      const shown = shownValue("Referer", piece.repeat(20_000));
      assert.ok(shown.length <= 301, `${piece}: ${shown.length} letters`);
    }
  });
});
