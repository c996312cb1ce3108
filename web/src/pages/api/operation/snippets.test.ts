import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import type { PreparedRequest } from "./draft.ts";
import { toCurl, toFetch } from "./snippets.ts";

const origin = "https://example.com";
const hostile = `it's $(id) \`id\` "x" \\`;
const request: PreparedRequest = {
  method: "PUT",
  address: "/todos/1?q=a",
  headers: [["Content-Type", "application/json"]],
  body: { kind: "text", text: JSON.stringify({ title: hostile }) },
};

/** The words of a command as a shell parses them. */
function wordsOf(command: string): string[] {
  const script = command.replace(/^curl/, "printf '%s\\n'");
  return execFileSync("/bin/sh", ["-c", script], { env: { TOKEN: "secret" } })
    .toString()
    .trimEnd()
    .split("\n");
}

describe("a request for other tools", () => {
  it("reaches a shell as it was written", () => {
    assert.deepEqual(wordsOf(toCurl({ request, origin, isSigned: true })), [
      "-X",
      "PUT",
      "https://example.com/todos/1?q=a",
      "-H",
      "Authorization: Bearer secret",
      "-H",
      "Content-Type: application/json",
      "--data-raw",
      JSON.stringify({ title: hostile }),
    ]);
  });

  it("omits empty parts", () => {
    const plain = { method: "GET", address: "/todos", headers: [] };
    assert.equal(toCurl({ request: plain, origin, isSigned: false }), "curl 'https://example.com/todos'");
    assert.match(
      toFetch({ request: plain, origin, isSigned: false }),
      /^const response = await fetch\("https:\/\/example.com\/todos"\);\n/,
    );
  });

  it("is a program that sends the same request", async () => {
    const sent: unknown[] = [];
    const code = toFetch({ request, origin, isSigned: true });
    const run = new Function("fetch", "token", "console", `return (async () => { ${code} })();`) as (
      ...parts: unknown[]
    ) => Promise<void>;
    await run((...parts: unknown[]) => sent.push(...parts) && { text: () => "" }, "secret", { log() {} });
    assert.deepEqual(sent, [
      "https://example.com/todos/1?q=a",
      {
        method: "PUT",
        headers: { Authorization: "Bearer secret", "Content-Type": "application/json" },
        body: JSON.stringify({ title: hostile }),
      },
    ]);
  });

  it("names the file of a form", () => {
    const file = new File(["a"], "it's.txt");
    const body = {
      kind: "parts",
      fields: [
        ["file", file],
        ["note", "@x"],
      ],
    } as const;
    const form = { ...request, headers: [], body };
    assert.deepEqual(wordsOf(toCurl({ request: form, origin, isSigned: false })).slice(3), [
      "-F",
      "file=@it's.txt",
      "--form-string",
      "note=@x",
    ]);
    assert.match(toFetch({ request: form, origin, isSigned: false }), /form\.append\("note", "@x"\);/);
  });
});
