import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Block, type Inline, parseMarkdown } from "./parse-markdown.ts";

describe("Markdown", () => {
  it("has paragraphs, headings, lists and code", () => {
    const text = "One\ntwo\n\n## Title ##\n- a\n  rest\n- b\n\n1. c\n2) d\n```json\n{ *x* }\n\n```\nend";
    assert.deepEqual(parseMarkdown(text), [
      { kind: "paragraph", content: ["One two"] },
      { kind: "heading", content: ["Title"] },
      { kind: "list", isOrdered: false, items: [["a rest"], ["b"]] },
      { kind: "list", isOrdered: true, items: [["c"], ["d"]] },
      { kind: "code", text: "{ *x* }\n" },
      { kind: "paragraph", content: ["end"] },
    ] satisfies Block[]);
  });

  const cases: [string, Inline[]][] = [
    ["a `b*c*` d", ["a ", { kind: "code", text: "b*c*" }, " d"]],
    [
      "**bold _and_ more**",
      [{ kind: "strong", content: ["bold ", { kind: "emphasis", content: ["and"] }, " more"] }],
    ],
    ["*em* 2 * 3 * 4", [{ kind: "emphasis", content: ["em"] }, " 2 * 3 * 4"]],
    ["snake_case_name", ["snake_case_name"]],
    ["[docs](https://x.y/a)", [{ kind: "link", href: "https://x.y/a", content: ["docs"] }]],
    ["<https://x.y>", [{ kind: "link", href: "https://x.y", content: ["https://x.y"] }]],
    ["[run](javascript:alert)", ["[run](javascript:alert)"]],
    ["[away](//evil.example)", ["[away](//evil.example)"]],
    ["<b>html</b>", ["<b>html</b>"]],
    ["\\*plain\\*", ["*", "plain", "*"]],
    ["open `code and **bold", ["open `code and **bold"]],
  ];
  for (const [text, content] of cases) {
    it(`reads ${text}`, () => assert.deepEqual(parseMarkdown(text), [{ kind: "paragraph", content }]));
  }

  it("ends with a fence that is not closed, and with nothing", () => {
    assert.deepEqual(parseMarkdown("```\na"), [{ kind: "code", text: "a" }]);
    assert.deepEqual(parseMarkdown(" \n "), []);
  });

  it("reads hostile text in linear time", { timeout: 60_000 }, () => {
    for (const part of ["*", "**a", "_a", "[", "[a](", "`", "<http://", "- ", "```", "# "]) {
      parseMarkdown(part.repeat(20_000));
      parseMarkdown(`${part}\n`.repeat(20_000));
    }
  });
});
