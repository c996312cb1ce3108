import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { toCurl } from "./curl.ts";

const origin = "https://shop.example.com";

/** The words of a command as a shell parses them. */
function wordsOf(command: string): string[] {
  const script = command.replace(/^curl/, "set --");
  const output = execFileSync("sh", ["-c", `${script}\nprintf '%s\\0' "$@"`], { encoding: "utf8" });
  return output.split("\0").slice(0, -1);
}

function words(path: string, headers: Record<string, string> = {}, method = "GET"): string[] {
  const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return wordsOf(toCurl({ origin, method, path, headers: list }).command);
}

describe("a request as curl", () => {
  it("has the method, the address and the headers", () => {
    assert.deepEqual(words("/todos", { accept: "text/html", "content-type": "application/json" }, "POST"), [
      "-X",
      "POST",
      "-H",
      "accept: text/html",
      "-H",
      "content-type: application/json",
      `${origin}/todos`,
    ]);
  });

  for (const hostile of ["/a'b", "/$(id)", "/`id`", '/"x"', "/a b;rm", "/\\", "/!x", "/'; id; '", "/\n/x"]) {
    it(`leaves ${JSON.stringify(hostile)} to the server and not to the shell`, () => {
      assert.deepEqual(words(hostile, { "user-agent": hostile }), [
        "-H",
        `user-agent: ${hostile}`,
        origin + hostile,
      ]);
    });
  }

  it("omits redacted and truncated headers, and lists them", () => {
    const headers = [
      { name: "cookie", value: "[redacted]" },
      { name: "referer", value: "https://a/?token=[redacted]" },
      { name: "x-long", value: `${"x".repeat(300)}…` },
      { name: "host", value: "shop.example.com" },
      { name: "accept", value: "*/*" },
    ];
    const { command, leftOut } = toCurl({ origin, method: "GET", path: "/", headers });
    assert.deepEqual(wordsOf(command), ["-H", "accept: */*", `${origin}/`]);
    assert.deepEqual(leftOut, ["cookie", "referer", "x-long"]);
  });

  it("keeps the method, compression and path of the request", () => {
    assert.deepEqual(words("/", {}, "HEAD"), ["--head", `${origin}/`]);
    assert.deepEqual(words("/", { "accept-encoding": "gzip, br" }), ["--compressed", `${origin}/`]);
    assert.deepEqual(words("/a/../b"), ["--path-as-is", `${origin}/a/../b`]);
    assert.deepEqual(words("/a[1]"), ["--globoff", `${origin}/a[1]`]);
    assert.deepEqual(words("/", { "x-empty": "" }), ["-H", "x-empty;", `${origin}/`]);
  });
});
