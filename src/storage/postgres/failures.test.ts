import assert from "node:assert/strict";
import { test } from "node:test";
import { adviseOn, describeFailure, isPassing } from "./failures.ts";
import { unreachable } from "./outage.ts";

const failure = (code: string, message = "") => Object.assign(new Error(message), { code });

const cases: [error: Error, isPassing: boolean][] = [
  [failure("ECONNREFUSED"), true],
  [failure("ENOTFOUND"), true],
  [failure("ENOENT"), true],
  [failure("57P03", "the database system is starting up"), true],
  [failure("53300", "sorry, too many clients already"), true],
  [new Error("Connection terminated unexpectedly"), true],
  [new Error("Connection terminated due to connection timeout"), true],
  [new Error("wrapped", { cause: failure("ECONNRESET") }), true],
  [failure("08P01", "server login has been failing, try again later (server_login_retry)"), true],
  [failure("08P01", "no such database: absent"), false],
  [failure("08P01", "unsupported startup parameter: options"), false],
  [failure("28P01", 'password authentication failed for user "annex"'), false],
  [failure("28000"), false],
  [failure("3D000"), false],
  [failure("DEPTH_ZERO_SELF_SIGNED_CERT"), false],
  [new Error("The server does not support SSL connections"), false],
];
for (const [error, expected] of cases) {
  const { code = "", message } = error as NodeJS.ErrnoException;
  test(`a start ${expected ? "waits" : "does not wait"} after ${code} ${message}`, () => {
    assert.equal(isPassing(error), expected);
  });
}

const reasons: [error: Error, reason: string | undefined][] = [
  [failure("53100"), "disk_full"],
  [failure("25006"), "read_only"],
  [failure("XX001"), "damaged"],
  [failure("58030"), "io_error"],
  [failure("57P01"), "unavailable"],
  [failure("57014"), "unavailable"],
  [failure("ECONNRESET"), "unavailable"],
  [new Error("Connection terminated unexpectedly"), "unavailable"],
  [failure("23505", "duplicate key"), undefined],
  [failure("42P01", "no such table"), undefined],
];
for (const [error, reason] of reasons) {
  const { code = "", message } = error as NodeJS.ErrnoException;
  test(`the reason of the fault ${code} ${message} is ${reason}`, () => {
    assert.equal(describeFailure(error)?.reason, reason);
  });
}

test("too many connections: the error names the option, at startup and later", () => {
  const error = failure("53300", "sorry, too many clients already");
  assert.match(
    unreachable("db:5432/notes", error).message,
    /lower databasePoolSize or raise max_connections/,
  );
  const advised = adviseOn(error) as NodeJS.ErrnoException;
  assert.match(advised.message, /Lower databasePoolSize, or raise max_connections/);
  assert.deepEqual([advised.cause, advised.code], [error, "53300"]);
});
