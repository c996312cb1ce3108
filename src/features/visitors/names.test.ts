import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hostName, longestPath, pageName, referrerName } from "./names.ts";

describe("the name of a page", () => {
  for (const [path, name] of [
    ["/", "/"],
    ["/prices", "/prices"],
    ["/%C3%A4pfel/%E6%BC%A2", "/äpfel/漢"],
    ["/a%20b", "/a b"],
    ["/100%", "/100%"],
    ["/%C3%28", "/%C3%28"],
    ["/%FF%FE", "/%FF%FE"],
    ["/\xff\xfe", "/ÿþ"],
    ["/%00%1b[31m%7f%C2%85", "/\ufffd\ufffd[31m\ufffd\ufffd"],
    ["/%E2%80%AEgnp.exe", "/\ufffdgnp.exe"],
    ["/<script>alert(1)</script>", "/<script>alert(1)</script>"],
    ["/%3Cimg%20src=x%20onerror=alert(1)%3E", "/<img src=x onerror=alert(1)>"],
    ["no-slash", "/no-slash"],
    ["", "/"],
  ] as const) {
    it(`is ${JSON.stringify(name)} for ${JSON.stringify(path)}`, () => assert.equal(pageName(path), name));
  }

  it("is at most 200 letters, and none of them half", () => {
    assert.equal(pageName(`/${"x".repeat(8_192)}`).length, 200);
    const emoji = pageName(`/${"🎉".repeat(150)}`);
    assert.equal(emoji.length, 200);
    assert.equal(emoji.isWellFormed(), true);
  });

  it("is decoded even if a long path was truncated within a character", () => {
    const path = `/${encodeURIComponent("🎉漢ä".repeat(80))}`;
    for (let start = 0; start < 30; start++) {
      const cut = (path[0] + "x".repeat(start) + path.slice(1)).slice(0, longestPath);
      assert.match(pageName(cut), /^\/x*(🎉漢ä)+(🎉漢?)?$/u, cut.slice(-20));
    }
  });

  it("cannot be the name for other entries", () => {
    assert.equal(pageName("(other)"), "/(other)");
  });
});

describe("the name of a host", () => {
  for (const [authority, name] of [
    ["example.com", "example.com"],
    ["WWW.Example.COM:8080", "example.com"],
    ["user:secret@example.com", "example.com"],
    ["example.com.", "example.com"],
    ["127.0.0.1:3000", "127.0.0.1"],
    ["[2001:db8::1]:443", "[2001:db8::1]"],
    ["xn--pfel-koa.example", "xn--pfel-koa.example"],
    ["", ""],
    ["(other)", ""],
    ["(direct)", ""],
    ["<b>bold</b>", ""],
    ["exa mple.com", ""],
    ["äpfel.example", ""],
    ["a\u0000b", ""],
    ["www.", ""],
  ] as const) {
    it(`is ${JSON.stringify(name)} for ${JSON.stringify(authority)}`, () =>
      assert.equal(hostName(authority), name));
  }

  it("is at most 100 letters", () => {
    assert.equal(hostName(`${"x".repeat(8_192)}.example`).length, 100);
  });

  it("is not a referrer if it is the site's own", () => {
    assert.equal(referrerName("www.example.com:443", hostName("example.com")), "");
    assert.equal(referrerName("other.example.com", hostName("example.com")), "other.example.com");
    assert.equal(referrerName("", hostName("example.com")), "");
  });
});
