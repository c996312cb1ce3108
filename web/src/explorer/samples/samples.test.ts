import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { placeOf } from "../auth/schemes.ts";
import type { Body, PreparedRequest } from "../draft/draft.ts";
import { toCurl } from "./curl.ts";
import { toFetch } from "./fetch.ts";
import { toGo } from "./go.ts";
import { toPython } from "./python.ts";
import { toSample } from "./sample-request.ts";

const origin = "https://example.com";
const hostile = `it's $(id) \`id\` "x" \\`;
const bearer = placeOf({ name: "bearerAuth", scheme: { type: "http", scheme: "bearer" } });
const apiKey = placeOf({ name: "apiKey", scheme: { type: "apiKey", in: "query", name: "key" } });
const session = placeOf({ name: "session", scheme: { type: "apiKey", in: "cookie", name: "sid" } });
const request: PreparedRequest = {
  method: "PUT",
  address: "/todos/1?q=a",
  headers: [["Content-Type", "application/json"]],
  cookies: [],
  body: { kind: "text", text: JSON.stringify({ title: hostile }) },
};
const plain: PreparedRequest = { method: "GET", address: "/todos", headers: [], cookies: [] };
const signed = toSample({ request, origin, places: [bearer] });
const withSecrets = toSample({
  request: { ...plain, cookies: [["theme", "dark"]] },
  origin,
  places: [apiKey, session],
});
const parts: Body = {
  kind: "parts",
  fields: [
    ["file", new File(["a"], "it's.txt")],
    ["note", "@x"],
  ],
};
const form = toSample({ request: { ...request, headers: [], body: parts }, origin, places: [] });

/** The words of a command as a shell parses them. */
function wordsOf(command: string): string[] {
  const script = command.replace(/^curl/, "printf '%s\\n'");
  const env = { TOKEN: "secret", API_KEY: "k", SESSION: "s" };
  return execFileSync("/bin/sh", ["-c", script], { env }).toString().trimEnd().split("\n");
}

describe("a sample for curl", () => {
  it("reaches a shell as it was written", () => {
    assert.deepEqual(wordsOf(toCurl(signed)), [
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

  it("takes secrets from variables, in the query and in cookies", () => {
    assert.deepEqual(wordsOf(toCurl(withSecrets)), [
      "https://example.com/todos",
      "--url-query",
      "key=k",
      "-H",
      "Cookie: sid=s; theme=dark",
    ]);
  });

  it("does not let a URL run commands next to a variable", () => {
    const evil = toSample({ request: { ...plain, address: `/${hostile}` }, origin, places: [apiKey] });
    assert.deepEqual(wordsOf(toCurl(evil)), [`https://example.com/${hostile}`, "--url-query", "key=k"]);
  });

  it("omits empty parts", () => {
    const sample = toSample({ request: plain, origin, places: [] });
    assert.equal(toCurl(sample), "curl 'https://example.com/todos'");
  });

  it("names the file of a form", () => {
    assert.deepEqual(wordsOf(toCurl(form)).slice(3), ["-F", "file=@it's.txt", "--form-string", "note=@x"]);
  });
});

describe("a sample for fetch", () => {
  it("sends the same request", async () => {
    const sent: unknown[] = [];
    const run = new Function(
      "fetch",
      "token",
      "console",
      `return (async () => { ${toFetch(signed)} })();`,
    ) as (...parts: unknown[]) => Promise<void>;
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

  it("omits empty parts, and escapes what comes from a variable", () => {
    assert.match(
      toFetch(toSample({ request: plain, origin, places: [] })),
      /^const response = await fetch\("https:\/\/example.com\/todos"\);\n/,
    );
    assert.ok(
      toFetch(withSecrets).includes('"https://example.com/todos" + "?key=" + encodeURIComponent(apiKey)'),
    );
    assert.ok(toFetch(withSecrets).includes('"Cookie": "sid=" + session + "; " + "theme=dark"'));
  });

  it("appends the fields of a form", () => {
    assert.match(toFetch(form), /form\.append\("note", "@x"\);/);
  });
});

describe("a sample for Python", () => {
  it("passes JSON as values of the language", () => {
    const body = { kind: "text", text: '{ "done": true, "due": null, "tags": ["a"], "none": {} }' } as const;
    const code = toPython(toSample({ request: { ...request, body }, origin, places: [bearer] }));
    assert.equal(
      code,
      `import os

import requests

response = requests.request(
    "PUT",
    "https://example.com/todos/1?q=a",
    headers={
        "Authorization": "Bearer " + os.environ["TOKEN"],
    },
    json={
        "done": True,
        "due": None,
        "tags": [
            "a",
        ],
        "none": {},
    },
)
print(response.status_code, response.text)`,
    );
  });

  it("passes text as it is where a value would differ", () => {
    const body = { kind: "text", text: '{"id": 12345678901234567890}' } as const;
    const code = toPython(toSample({ request: { ...request, body }, origin, places: [] }));
    assert.ok(code.includes('"Content-Type": "application/json"'));
    assert.ok(code.includes('data="{\\"id\\": 12345678901234567890}".encode()'));
  });

  it("sends files and fields of a form, and escapes a key in the URL", () => {
    assert.ok(toPython(form).includes(`files=[("file", open("it's.txt", "rb")), ("note", (None, "@x"))]`));
    assert.ok(toPython(withSecrets).includes('"?key=" + quote(os.environ["API_KEY"], safe="")'));
  });
});

describe("a sample for Go", () => {
  it("imports what it uses, and sends the body", () => {
    const code = toGo(
      toSample({
        request: { ...request, body: { kind: "text", text: '{"a": 1}' } },
        origin,
        places: [bearer],
      }),
    );
    assert.deepEqual(
      [...code.matchAll(/^\t"([\w/]+)"$/gm)].map(([, name]) => name),
      ["fmt", "io", "net/http", "os", "strings"],
    );
    assert.ok(code.includes('strings.NewReader(`{"a": 1}`)'));
    assert.ok(code.includes('req.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))'));
  });

  it("quotes a body that has a backtick", () => {
    assert.ok(
      toGo(signed).includes(`strings.NewReader(${JSON.stringify(JSON.stringify({ title: hostile }))})`),
    );
  });

  it("writes the parts of a form", () => {
    const code = toGo(form);
    assert.ok(code.includes(`parts.CreateFormFile("file", "it's.txt")`));
    assert.ok(code.includes('parts.WriteField("note", "@x")'));
    assert.ok(code.includes('req.Header.Set("Content-Type", parts.FormDataContentType())'));
  });
});
