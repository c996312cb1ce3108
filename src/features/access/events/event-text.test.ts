import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cleanEvent, cleanText } from "./event-text.ts";

describe("the text of an event", () => {
  for (const [name, text, clean] of [
    ["line breaks", "ada\r\nlevel=INFO msg=fake", "adalevel=INFO msg=fake"],
    ["escape sequences", "\u001b[31mred\u001b[0m\u009b", "[31mred[0m"],
    ["U+0000", "a\u0000b", "ab"],
    ["bidirectional overrides", "admin\u202egpj.exe", "admingpj.exe"],
    ["line separators", "a\u2028b\u2029c", "abc"],
    ["lone surrogates", "a\ud800b", "ab"],
    ["white space around it", "  ada ", "ada"],
  ] as const) {
    it(`loses ${name}`, () => assert.equal(cleanText(text, 254), clean));
  }

  it("keeps letters of any language, and emoji", () => {
    assert.equal(cleanText("Ada Łovelace 日本 🎉", 254), "Ada Łovelace 日本 🎉");
  });

  it("is cut without leaving half a character", () => {
    assert.equal(cleanText("x".repeat(10_000_000), 254)!.length, 254);
    assert.equal(cleanText(`${"x".repeat(9)}🎉`, 10), `${"x".repeat(9)}\ufffd`);
  });

  it("is null where nothing printable is left", () => {
    assert.equal(cleanText("\r\n\t", 254), null);
    assert.equal(cleanText(undefined, 254), null);
  });

  it("is cleaned in every field that a client can fill", () => {
    const origin = { address: "1.2.3.4\n", agent: "curl\u001b]0;x\u0007", traceId: "t\n" };
    assert.deepEqual(
      cleanEvent({ kind: "lock-out", account: "a\nb", actor: "c\nd", detail: "e\nf", origin }),
      {
        kind: "lock-out",
        account: "ab",
        actor: "cd",
        address: "1.2.3.4",
        agent: "curl]0;x",
        traceId: "t",
        detail: "ef",
      },
    );
  });
});
