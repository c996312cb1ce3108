/**
 * An application with Annex responds as it does without Annex, to the byte, and closes its connections in the same way.
 * An error of the application becomes an uncaught one only if it does so without Annex.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { startProgram } from "../../support/program.ts";
import { kinds } from "./kinds.ts";
import type { Comparison } from "./program.ts";

const program = fileURLToPath(new URL("program.ts", import.meta.url));

describe("with Annex, as without Annex", { concurrency: 2 }, () => {
  for (const name of Object.keys(kinds)) {
    it(name, async (t) => {
      const run = startProgram(t, ["--disable-warning=ExperimentalWarning", program, name]);
      for (const setup of ["defaults", "libraries"])
        await run.says(new RegExp(`^without Annex: ${setup}$`, "m"));
      for (const setup of ["defaults", "libraries"]) {
        const [, json] = await run.says(new RegExp(`^${setup} (.*)$`, "m"));
        const { requests, differences, untraced } = JSON.parse(json!) as Comparison;
        assert.deepEqual(differences, []);
        assert.ok(requests >= 200, `${requests} requests`);
        assert.deepEqual(untraced, []);
      }
      assert.deepEqual(await run.ended, [0, null]);
    });
  }
});
