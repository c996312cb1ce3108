import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, definedErrors, defineError } from "./errors.ts";

test("a defined error fills in its sentence and carries its code and status", () => {
  const JOB_UNKNOWN = defineError("TEST_JOB_UNKNOWN", 404, 'There is no job "%s" in %s.');
  const error = JOB_UNKNOWN("backup 100%s", 3);
  assert.ok(error instanceof ApiError);
  assert.equal(error.message, 'There is no job "backup 100%s" in 3.');
  assert.deepEqual([error.status, error.code, error.data], [404, "TEST_JOB_UNKNOWN", {}]);
  assert.equal(error.name, "ApiError");
  assert.equal("cause" in error, false);
});

test("a defined error can be made with data, headers and a cause", () => {
  const cause = new Error("the disk is full");
  const BUSY = defineError("TEST_BUSY", 503, "Busy for %s s.");
  const error = BUSY.with({ data: { a: 1 }, headers: { "Retry-After": "5" }, cause }, 5);
  assert.equal(error.message, "Busy for 5 s.");
  assert.deepEqual([error.data, error.headers, error.cause], [{ a: 1 }, { "Retry-After": "5" }, cause]);
  assert.equal(error.code, "TEST_BUSY");
});

test("a code that is defined twice is refused", () => {
  defineError("TEST_TWICE", 400, "Once.");
  assert.throws(() => defineError("TEST_TWICE", 400, "Again."), {
    message: "The error code TEST_TWICE is defined twice.",
  });
});

test("every defined error is listed, with its template", () => {
  defineError("TEST_LISTED", 418, "I am %s.");
  const listed = definedErrors().find(({ code }) => code === "TEST_LISTED");
  assert.deepEqual([listed?.status, listed?.template], [418, "I am %s."]);
});

for (const [given, sent] of [
  [400, 400],
  [599, 599],
  [200, 500],
  [399, 500],
  [600, 500],
  [404.5, 500],
  [Number.NaN, 500],
] as const) {
  test(`an error of status ${given} is sent as ${sent}`, () => {
    assert.equal(new ApiError(given, "No.").status, sent);
  });
}

test("data that is null is the same as none", () => {
  assert.deepEqual(new ApiError(400, "No.", { data: null as unknown as object }).data, {});
});
