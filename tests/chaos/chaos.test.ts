import assert from "node:assert/strict";
import { it } from "node:test";
import { checkAll } from "./checks/index.ts";
import { runFleet } from "./fleet-run.ts";
import { shortPlan } from "./plan.ts";

/** The short form of `npm run chaos`: one tick, during which every instance of the fleet has trouble. */
it("a fleet with a killed, a stopped and a blocked instance runs each tick once", async (t) => {
  const log = (line: string) => t.diagnostic(line);
  const evidence = await runFleet(t, {
    instances: 3,
    jobs: 40,
    plan: shortPlan,
    seconds: 42,
    blockMs: 12_000,
    firstTickMs: 14_000,
    log,
  });
  assert.ok(evidence.runs.some(({ status }) => status === "interrupted"));
  assert.deepEqual(
    checkAll(evidence).flatMap(({ name, violations }) =>
      violations.map((violation) => `${name}: ${violation}`),
    ),
    [],
  );
});
