import assert from "node:assert/strict";
import { test } from "node:test";
import { adviseOn, isPassing } from "./failures.ts";
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
