import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runLimits } from "./limit-run.ts";

/** The short form of `npm run chaos -- --only limits`. */
describe("limits that are lowered and raised again under load, with a kill in between", () => {
  for (const engine of ["sqlite", "postgres"] as const) {
    it(`lose no record inside their retention (${engine})`, async (t) => {
      const log = (line: string) => t.diagnostic(line);
      const run = {
        engine,
        rounds: 2,
        everyMs: 4_000,
        perSecond: 40,
        oldRecords: 20_000,
        oldDays: 0.25,
        logMegabytes: 1,
        log,
      };
      const { acknowledged, lost, replacedThreads, unready, readinessChecks } = await runLimits(t, run);
      assert.ok(acknowledged > 100, `${acknowledged} responses`);
      assert.ok(readinessChecks > 10);
      assert.deepEqual(lost, []);
      assert.deepEqual(replacedThreads, []);
      assert.deepEqual(unready, []);
    });
  }
});
