import assert from "node:assert/strict";
import { it } from "node:test";
import { fuzz, programs } from "./fuzz.ts";

// The seed is fixed: a run that fails here fails again. `npm run fuzz` tries others.
it("random requests to every route cause no hang, no crash and no undeclared 5xx", {
  timeout: 720_000,
}, async () => {
  const report = await fuzz({ seed: 13, requests: 3_000, deadlineMs: 540_000 });
  assert.deepEqual(report.problems, []);
  assert.equal(report.requests, 3_000, "the run was complete");
  assert.equal(report.exitCode, 0, "the server stopped in order");
  for (const status of [200, 400, 401, 403, 404, 426, ...socketOutcomes])
    assert.ok((report.outcomes[status] ?? 0) > 0, `no ${status}`);
  assert.ok(report.slow >= 10, `${report.slow} slow clients were closed`);
});

/** Normal ends, errors of the protocol, invalid text, and messages that are too large. */
const socketOutcomes = ["socket 1000", "socket 1002", "socket 1007", "socket 1009"];

for (const program of programs.filter((each) => each !== "example")) {
  it(`random requests to Annex on ${program} cause no hang, no crash and no undeclared 5xx`, {
    timeout: 720_000,
  }, async () => {
    const report = await fuzz({ seed: 36, program, requests: 400, deadlineMs: 540_000 });
    assert.deepEqual(report.problems, []);
    assert.equal(report.requests, 400, "the run was complete");
    for (const status of [200, 400, 401, 404, "socket 1000", "socket 1002"])
      assert.ok((report.outcomes[status] ?? 0) > 0, `no ${status}`);
    assert.ok(report.slow >= 2, `${report.slow} slow clients were closed`);
  });
}
