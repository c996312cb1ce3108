import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inTurns } from "./turns.ts";

describe("work in turns", () => {
  for (const sharesCore of [false, true]) {
    it(`lets the event loop turn after each step${sharesCore ? ", with pauses" : ""}`, async () => {
      const seen: string[] = [];
      let steps = 0;
      await inTurns(
        async () => {
          seen.push("step");
          setImmediate(() => seen.push("other"));
          return ++steps < 3;
        },
        { sharesCore },
      );
      assert.deepEqual(seen, ["step", "other", "step", "other", "step"]);
    });

    it(`ends with the reason of its signal${sharesCore ? ", also in a pause" : ""}`, async () => {
      const abort = new AbortController();
      let steps = 0;
      const work = inTurns(
        async () => {
          if (++steps === 2) setImmediate(() => abort.abort(new Error("stop")));
          return true;
        },
        { signal: abort.signal, sharesCore },
      );
      await assert.rejects(work, (error: Error) => /stop/.test(`${error.message} ${error.cause}`));
      assert.ok(steps < 4);
    });
  }

  it("does nothing if its signal is aborted already", async () => {
    const signal = AbortSignal.abort(new Error("stop"));
    const step = async () => assert.fail("a step was done");
    await assert.rejects(inTurns(step, { signal }), /stop/);
  });
});
