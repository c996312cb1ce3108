import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "../testing/test.ts";

const program = fileURLToPath(new URL("../testing/program.ts", import.meta.url));

interface Ended {
  code: number;
  stderr: string;
  lines: { [key: string]: string | number }[];
}

function run(part: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, part], { timeout: 180_000 }, (error, stdout, stderr) => {
      const lines = stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      resolve({ code: error === null ? 0 : Number(error.code), stderr, lines });
    });
  });
}

test("an error in background work of a handler is reported with its trace ID, and the process continues", async () => {
  const { code, stderr, lines } = await run("leave-work");
  assert.equal(stderr, "");
  assert.equal(code, 0);
  assert.deepEqual(lines.at(-1), { end: "alive" });
  const left = "Unhandled error in background work of a request";
  const late = "Failed to handle request after the response was sent";
  const rows: [path: string, status: number, reported: string, message: string][] = [
    ["/timer", 204, "left in a timer", late],
    ["/rejection", 204, "left in a promise", left],
    ["/later-rejection", 204, "left as text", left],
    ["/event", 204, "left in an event", late],
    ["/callback", 500, "thrown in a callback, before the response", "Failed to handle request"],
    ["/meanwhile", 200, "left while the handler goes on", left],
    ["/undefined", 204, "undefined", late],
  ];
  for (const [path, status, reported, message] of rows) {
    const response = lines.find((line) => line.path === path && "status" in line);
    const report = lines.filter((line) => line.path === path && "reported" in line);
    assert.equal(response?.status, status, path);
    assert.match(String(response?.traceId), /^[A-Za-z0-9]{18}$/);
    assert.deepEqual(report, [{ path, reported, traceId: response?.traceId, message }]);
  }
});

const ends: { name: string; part: string; code: number; stderr: RegExp }[] = [
  {
    name: "an uncaught error",
    part: "throw",
    code: 1,
    stderr: /^TypeError: a bug\n +at .*program\.ts.*Caused by: Error: and its cause/s,
  },
  {
    name: "an unhandled rejection",
    part: "reject",
    code: 1,
    stderr: /^TypeError: a bug\n +at .*program\.ts/,
  },
  {
    name: "an exception with values of a query and other secrets",
    part: "values",
    code: 1,
    stderr:
      /^AggregateError: iban=\[redacted\]\n(?![\s\S]*canary)[\s\S]*params: \[redacted\][\s\S]*token: \[redacted\]/,
  },
  { name: "uncaught text", part: "text", code: 1, stderr: /^Uncaught: just text\n$/ },
  {
    name: "an uncaught unusual value",
    part: "bare",
    code: 1,
    stderr: /^Uncaught: \{\}\n$/,
  },
  {
    name: "an error at the start",
    part: "startError",
    code: 75,
    stderr: /^annex: The data folder is in use by another program\.\n$/,
  },
  {
    name: "a start that was rejected",
    part: "rejectedStart",
    code: 69,
    stderr: /^annex: Port 1 is in use\.\n$/,
  },
];

for (const { name, part, code, stderr } of ends) {
  test(`${name} ends the process with code ${code}`, async () => {
    const ended = await run(part);
    assert.match(ended.stderr, stderr);
    assert.equal(ended.code, code);
    assert.deepEqual(ended.lines, []);
  });
}

test("what must not be lost is written before the process ends, whatever one of the writers does", async () => {
  const { code, stderr, lines } = await run("writeFatal");
  assert.deepEqual(lines, [{ words: "Error: the end" }]);
  assert.match(stderr, /^Error: the end\n/);
  assert.equal(code, 1);
});

test("another listener for uncaught errors takes precedence", async () => {
  const { code, lines } = await run("somebodyElse");
  assert.deepEqual(lines, [{ else: "theirs" }]);
  assert.equal(code, 0);
});
