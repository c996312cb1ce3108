import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { openDestination } from "./destination.ts";
import { createPrettyPrinter } from "./pretty.ts";

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "annex-log-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const open = (target: string) => openDestination({ target, format: "json", colors: false });

describe("a log file", () => {
  it("is created with its folder and appended to in order", async (t) => {
    const path = join(temporaryFolder(t), "deep", "er", "app.log");
    for (const part of ["one\n", "two\n"]) {
      const destination = open(path);
      destination.write(Buffer.from(part), () => {});
      destination.write(Buffer.from("more\n"), () => {});
      await destination.flush();
      await destination.close();
    }
    assert.equal(readFileSync(path, "utf8"), "one\nmore\ntwo\nmore\n");
  });

  it("receives pending records when the process must exit immediately", async (t) => {
    const path = join(temporaryFolder(t), "app.log");
    const destination = open(path);
    destination.writeSync(Buffer.from("last\n"));
    assert.equal(readFileSync(path, "utf8"), "last\n");
    await destination.close();
  });

  it("that cannot be written is refused with its name", () => {
    assert.throws(() => open("/dev/null/app.log"), {
      code: "INVALID_OPTION",
      message: /"\/dev\/null\/app\.log"/,
    });
  });

  it("on a full disk loses the block, not the process", async () => {
    const destination = open("/dev/full");
    let released = 0;
    destination.write(Buffer.from("lost\n"), () => released++);
    await destination.flush();
    assert.equal(released, 1);
    await destination.close();
  });
});

describe("standard output", () => {
  const program = `
    import { openDestination } from ${JSON.stringify(new URL("./destination.ts", import.meta.url).href)};
    const destination = openDestination({ target: "stdout", format: "json", colors: false });
    for (let block = 0; block < 40; block++) destination.write(Buffer.alloc(100_000, "x"), () => {});
    await destination.flush();
    process.stderr.write("written");
  `;

  it("waits for a slow reader and loses nothing", async () => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
    let size = 0;
    for await (const chunk of child.stdout) {
      size += chunk.length;
      await new Promise(setImmediate);
    }
    assert.equal(size, 4_000_000);
  });

  it("survives a reader that exits", async () => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
    child.stdout.once("data", () => child.stdout.destroy());
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const [code] = await once(child, "close");
    assert.deepEqual([code, said], [0, "written"]);
  });
});

describe("in a terminal", () => {
  const print = (record: object) =>
    createPrettyPrinter(false)(Buffer.from(`${JSON.stringify(record)}\n`)).toString();
  const time = new Date(2026, 0, 2, 3, 4, 5, 6).toISOString();

  it("a request is shown in a compact format", () => {
    const record = {
      time,
      level: "DEBUG",
      msg: "Request processed",
      event: "http_request",
      method: "GET",
      path: "/a",
      status: "200 OK",
      duration: "1ms",
      ip: "::1",
      trace_id: "t",
    };
    assert.equal(print(record), "03:04:05.006 DEBUG GET /a 200 OK 1ms ::1 t\n");
  });

  it("a line shows its fields, and errors with their causes below", () => {
    const error = { stack: "Error: a\n    at b", cause: { stack: "Error: c" } };
    const line = print({
      time,
      level: "ERROR",
      msg: "Failed",
      event: "log",
      pid: 1,
      start_time: "x",
      order: 17,
      error,
    });
    assert.equal(line, "03:04:05.006 ERROR Failed  order=17\nError: a\n    at b\nCaused by: Error: c\n");
  });

  it("causes and aggregated errors follow the stack", () => {
    const cause = { stack: "TypeError: b", cause: "just text" };
    const errors = [{ stack: "Error: c" }, { name: "Error", message: "d", stack: "" }];
    const line = print({
      time,
      level: "ERROR",
      msg: "Failed",
      event: "log",
      error: { stack: "Error: a", cause, errors },
    });
    const expected = [
      "Error: a",
      "Caused by: TypeError: b",
      "Caused by: just text",
      "Error 1 of 2: Error: c",
      "Error 2 of 2: Error: d",
    ];
    assert.deepEqual(line.split("\n").slice(1, -1), expected);
  });

  const forged = "hi\n12:00:00.000 ERROR forged\r\x1b[2J\x1b]0;title\x07\x9b31m\u202e\u2028";
  const rest = { time, level: "INFO", event: "log" };
  for (const [where, record] of [
    ["the message", { ...rest, msg: forged }],
    ["a field", { ...rest, msg: "x", field: forged }],
    ["the name of a field", { ...rest, msg: "x", [forged]: 1 }],
    ["a nested field", { ...rest, msg: "x", field: { [forged]: [forged] } }],
    ["a stack", { ...rest, msg: "x", error: { stack: `Error: ${forged}\n    at f (${forged})` } }],
    ["a cause", { ...rest, msg: "x", error: { stack: "Error: a", cause: { stack: forged } } }],
    ["a cause that is text", { ...rest, msg: "x", error: { stack: "Error: a", cause: forged } }],
    [
      "a cause that is data",
      { ...rest, msg: "x", error: { stack: "Error: a", cause: { [forged]: forged } } },
    ],
    ["the level", { ...rest, msg: "x", level: forged }],
    ["a record that looks like a request", { ...rest, event: "http_request", msg: forged }],
    [
      "the fields of a request",
      { ...rest, event: "http_request", method: forged, path: forged, status: forged, ip: forged },
    ],
  ] as const) {
    it(`${where} neither controls the terminal nor forges a line`, () => {
      const text = print(record);
      assert.doesNotMatch(text.replaceAll("\n", ""), /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/);
      assert.match(text, /\\x1b/i);
      const [, ...below] = text.split("\n");
      assert.ok(
        below.every((line) => !/^\d\d:/.test(line)),
        text,
      );
    });
  }

  it("a line that is not a record is shown, escaped", () => {
    assert.equal(
      createPrettyPrinter(false)(Buffer.from("no JSON \x1b[0m\n")).toString(),
      "no JSON \\x1b[0m\n",
    );
  });

  it("what a visitor sends cannot command the terminal", () => {
    const line = print({
      time,
      level: "INFO",
      msg: "x",
      event: "http_request",
      method: "GET",
      path: "/\x1b[2J\r\n",
      status: "",
      duration: "",
      ip: "",
      trace_id: "",
    });
    assert.ok(!line.includes("\x1b"));
    assert.equal(line.split("\n").length, 2);
  });
});

describe("a stream that fails", () => {
  const program = (write: string) => `
    import { Writable } from "node:stream";
    import { openDestination } from ${JSON.stringify(new URL("./destination.ts", import.meta.url).href)};
    const target = new Writable({ write(chunk, encoding, done) { ${write} } });
    const destination = openDestination({ target, format: "json", colors: false });
    for (let block = 0; block < 3; block++) {
      destination.write(Buffer.from("lost\\n"), () => {});
      await destination.flush();
      await new Promise(setImmediate);
    }
    process.stdout.write("alive");
  `;
  for (const [how, write] of [
    ["later", `done(new Error("no \\u001bspace"));`],
    ["by throwing", `throw new Error("no \\u001bspace");`],
  ] as const) {
    it(`${how} is reported once and does not end the process`, async () => {
      const child = spawn(process.execPath, ["--input-type=module", "--eval", program(write)]);
      let [output, problems] = ["", ""];
      child.stdout.on("data", (chunk) => (output += chunk));
      child.stderr.on("data", (chunk) => (problems += chunk));
      const [code] = await once(child, "close");
      assert.deepEqual([code, output], [0, "alive"], problems);
      assert.equal(problems, "annex: Failed to write to the log stream: no \\x1bspace\n");
    });
  }
});
