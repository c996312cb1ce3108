import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { promisify } from "node:util";
import { createTemporaryFolder } from "../src/lib/testing/temporary-folder.ts";

it("the benchmark of a fleet counts the statements of its instances", async () => {
  const json = join(createTemporaryFolder(), "fleet.json");
  const args = [join(import.meta.dirname, "../bench/fleet/main.ts"), "--quick", "--json", json];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 300_000 });
  assert.match(stdout, /idle: 2 instances, 5 jobs/);
  const { results } = JSON.parse(readFileSync(json, "utf8"));
  const { statements, top } = results.idle.now;
  assert.ok(statements > 0);
  assert.ok(top.some(({ text }: { text: string }) => text.includes("annex_cron_instances")));
});
