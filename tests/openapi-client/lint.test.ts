import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";

const golden = resolve(import.meta.dirname, "../golden");

/** What Redocly recommends as an error. Its warnings are about texts that only an application can write. */
describe("the documents of the golden corpus", () => {
  it("have no error by the recommended rules of Redocly", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const files = globSync("**/openapi.json", { cwd: golden });
    assert.ok(files.length > 350);
    const errors: string[] = [];
    for (const file of files) {
      const absoluteRef = resolve(golden, file);
      const problems = await lintFromString({
        source: readFileSync(absoluteRef, "utf8"),
        absoluteRef,
        config,
      });
      for (const { severity, ruleId, message } of problems)
        if (severity === "error") errors.push(`${file}: ${ruleId}: ${message}`);
    }
    assert.deepEqual(errors, []);
  });
});
