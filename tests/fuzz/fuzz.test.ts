import assert from "node:assert/strict";
import { it } from "node:test";
import { fuzz } from "./fuzz.ts";

// The seed is fixed: a run that fails here fails again. `npm run fuzz` tries others.
it("random requests to every route cause no hang, no crash and no undeclared 5xx", {
  timeout: 720_000,
}, async () => {
  const report = await fuzz({ seed: 13, requests: 3_000, deadlineMs: 540_000 });
  assert.deepEqual(report.problems, []);
  assert.equal(report.requests, 3_000, "the run was complete");
  assert.equal(report.exitCode, 0, "the server stopped in order");
  for (const status of [200, 400, 401, 403, 404])
    assert.ok((report.outcomes[status] ?? 0) > 0, `no ${status}`);
});
