import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ErrorLog } from "./error-log.ts";
import { describeError } from "./fingerprint.ts";

const stack = (line: number, file = "/app/orders.ts") =>
  [
    "TypeError: no such order",
    `    at findOrder (${file}:${line}:7)`,
    `    at async showOrder (${file}:${line + 5}:3)`,
    "    at node:internal/process/task_queues:105:5",
  ].join("\n");

function errorWith(changes: Partial<Error>): Error {
  return Object.assign(new TypeError("no such order"), changes);
}

const fingerprint = (error: unknown, origin = "GET /orders/{id}") => describeError(error, origin).fingerprint;

describe("a fingerprint", () => {
  const usual = fingerprint(errorWith({ stack: stack(10) }));

  it("does not depend on the message and the line", () => {
    assert.equal(fingerprint(errorWith({ message: "no such order 17", stack: stack(99) })), usual);
  });

  it("differs by type, location and route", () => {
    const others = [
      fingerprint(errorWith({ name: "RangeError", stack: stack(10) })),
      fingerprint(errorWith({ stack: stack(10, "/app/users.ts") })),
      fingerprint(errorWith({ stack: stack(10) }), "job backup"),
    ];
    assert.equal(new Set([usual, ...others]).size, 4);
  });

  it("looks at the application's frames, not at those of packages above them", () => {
    const within = (version: string) =>
      errorWith({
        stack: stack(10).replace("\n", `\n    at query (/app/node_modules/pg/${version}.js:1:1)\n`),
      });
    assert.equal(fingerprint(within("a")), fingerprint(within("b")));
  });

  it("is the same whoever calls the third frame", () => {
    const calledBy = (...callers: string[]) =>
      fingerprint(
        errorWith({
          stack: [
            "TypeError: no such order",
            ...callers.map((name) => `    at ${name} (/app/a.ts:1:1)`),
          ].join("\n"),
        }),
      );
    const usual = calledBy("find", "load", "show", "page");
    assert.equal(calledBy("find", "load", "show", "job"), usual);
    assert.equal(calledBy("find", "load", "show"), usual);
    assert.notEqual(calledBy("find", "load", "edit", "page"), usual);
  });

  it("cannot be chosen by a client: a message that looks like frames, or has none, does not change it", () => {
    const injected = errorWith({ message: "no\n    at evil (/app/evil.ts:1:1)" });
    injected.stack = stack(10).replace("no such order", injected.message);
    assert.equal(fingerprint(injected), usual);
    assert.equal(fingerprint("one"), fingerprint("other"));
    assert.equal(fingerprint(errorWith({ message: "added later: no such order", stack: stack(10) })), usual);
  });

  it("holds nothing that a database refuses", () => {
    const { message, stack: kept } = describeError(errorWith({ message: "a\0b", stack: "E: a\0b" }), "GET /");
    assert.deepEqual([message, kept], ["a�b", "E: a�b"]);
  });

  const hostile: Record<string, unknown> = {
    "an object that cannot be shown": Object.create(null),
    "an error whose message throws": Object.defineProperty(new Error("x"), "message", {
      get() {
        throw new Error("no");
      },
    }),
    "an error whose stack is not a string": Object.assign(new Error("x"), {
      stack: { toString: () => "no" },
    }),
    "a symbol": Symbol("s"),
    nothing: undefined,
  };
  for (const [name, thrown] of Object.entries(hostile)) {
    it(`can be made of ${name}`, () => assert.match(fingerprint(thrown), /^[\w-]{16}$/));
  }

  it("limits the stored size of an error", () => {
    const { message, stack: kept } = describeError(
      errorWith({
        message: "m".repeat(50_000),
        stack: `Error\n${"    at f (/a/b.ts:1:1)\n".repeat(10_000)}`,
      }),
      "GET /",
    );
    assert.ok(message.length <= 1_050 && kept.length <= 9_100);
  });
});

describe("the error log", () => {
  const failure = (error: unknown, traceId = "t") => ({ error, origin: "GET /", traceId });

  it("groups errors and keeps a few samples", () => {
    const log = new ErrorLog();
    for (let index = 0; index < 8; index++) {
      log.add(failure(errorWith({ message: `m${index}`, stack: stack(1) }), `t${index}`), index);
    }
    log.add(failure(new RangeError("other")), 9);
    const [first, second, ...rest] = log.take();
    assert.deepEqual(rest, []);
    assert.equal(first!.count, 8);
    assert.deepEqual(
      first!.samples.map(({ traceId, time, message }) => [traceId, time, message]),
      [0, 1, 2, 3, 4].map((index) => [`t${index}`, index, `m${index}`]),
    );
    assert.equal(second!.type, "RangeError");
    assert.deepEqual(log.take(), []);
    assert.equal(log.total, 9);
  });

  it("processes a limited number of errors and counts the rest", () => {
    const log = new ErrorLog();
    for (let index = 0; index < 1_000; index++) log.add({ ...failure("x"), origin: `job ${index}` }, 0);
    assert.equal(log.take().length, 100);
    assert.equal(log.unseen, 900);
    log.add(failure("after the flood"), 0);
    assert.equal(log.take().length, 1);
  });
});
