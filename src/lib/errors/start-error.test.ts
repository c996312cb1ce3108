import assert from "node:assert/strict";
import { test } from "node:test";
import { StartError, type StartErrorCode, startErrors } from "./start-error.ts";

for (const [code, exitCode] of Object.entries(startErrors)) {
  test(`${code} ends the process with a code of sysexits.h`, () => {
    const error = new StartError(code as StartErrorCode, "A sentence.");
    assert.equal(error.exitCode, exitCode);
    assert.ok(exitCode >= 64 && exitCode <= 78);
  });
}

test("a start error keeps what caused it", () => {
  const cause = new Error("EADDRINUSE");
  assert.equal(new StartError("PORT_IN_USE", "The port is in use.", { cause }).cause, cause);
});
