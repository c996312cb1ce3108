import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import pg from "pg";
import { until } from "../src/lib/testing/until.ts";
import { createFolder, startProgram } from "./support/program.ts";

const runner = new URL("../scripts/test/run.ts", import.meta.url).href;

/** A test that never ends, and neither does the program that it starts. */
const endless = `
  import { spawn } from "node:child_process";
  import { it } from "node:test";
  it("never ends", async () => {
    const child = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1000)"]);
    console.log("started " + JSON.stringify([process.pid, child.pid, process.env.ANNEX_TEST_POSTGRES]) + ".");
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  });
`;

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("a test run", {
  skip: process.platform === "win32" && "a process there cannot handle signals",
}, () => {
  for (const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)
    it(`that gets ${signal} ends its tests, their programs and PostgreSQL, and removes its files`, async (t) => {
      const folder = createFolder(t);
      const file = join(folder, "endless.test.mjs");
      writeFileSync(file, endless);
      const temporary = createFolder(t);
      const needs = { web: false, bundles: false, postgres: true };
      const source = `
        import { runTests } from ${JSON.stringify(runner)};
        await runTests({ files: [${JSON.stringify(file)}], needs: ${JSON.stringify(needs)} });`;
      // A server of its own.
      const env = { ANNEX_TEST_POSTGRES: "", ANNEX_TEST_RUN_FOLDER: "", TMPDIR: temporary };
      const entry = join(folder, "run.mjs");
      writeFileSync(entry, source);
      const program = startProgram(t, [entry], { env });
      const [, json] = await program.says(/started (\[.*\])\./);
      const [test, child, url] = JSON.parse(json!) as [number, number, string];
      assert.ok(isRunning(test) && isRunning(child));
      program.child.kill(signal);
      assert.deepEqual(await program.ended, [code, null], program.stderr);
      await until("both have ended", () => !isRunning(test) && !isRunning(child));
      await assert.rejects(new pg.Client(url).connect(), { code: "ECONNREFUSED" });
      assert.deepEqual(
        readdirSync(temporary).filter((name) => name.startsWith("annex-")),
        [],
      );
    });
});
