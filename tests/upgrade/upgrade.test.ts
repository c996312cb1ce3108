import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it, type TestContext } from "node:test";
import { createTemporaryFolder } from "../../src/lib/testing/temporary-folder.ts";
import { startProgram } from "../support/program.ts";
import { createReleasedFolder, released } from "./released-folder.ts";

const program = join(import.meta.dirname, "program.ts");
const now = Date.now();
let original: string;

const start = (t: TestContext, folder: string) =>
  startProgram(t, [program], { env: { SVC_DATA_DIR: folder, SVC_PORT: "0", NODE_ENV: "production" } });

function copyOriginal(): string {
  const folder = createTemporaryFolder();
  cpSync(original, folder, { recursive: true });
  return folder;
}

async function connect(url: string) {
  const response = await fetch(`${url}/api/collections/_superusers/auth-with-password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(released.account),
  });
  assert.equal(response.status, 200, "the superuser can sign in");
  const { token } = (await response.json()) as { token: string };
  return async <Body>(path: string): Promise<Body> => {
    const found = await fetch(url + path, { headers: { authorization: token } });
    assert.equal(found.status, 200, path);
    return (await found.json()) as Body;
  };
}

/** Everything that the folder contained is there. */
async function assertComplete(url: string): Promise<void> {
  const get = await connect(url);
  const runs = await get<{ totalItems: number }>("/api/cron/logs/nightly?perPage=1");
  assert.equal(runs.totalItems, released.runs);
  const analytics = await get<object>("/api/cron/logs/analytics");
  assert.match(JSON.stringify(analytics), new RegExp(`${released.runs}`));
  const from = now - 86_400_000 * 5;
  const routes = await get<{ routes: { route: string; count: number }[] }>(
    `/_/_/data/routes?from=${from}&to=${now + 60_000}`,
  );
  const old = routes.routes.find(({ route }) => route === "GET /old/{id}");
  assert.equal(old?.count, released.minutes * released.requestsPerMinute);
  const found = await get<{ items: { line: string }[] }>("/_/_/data/logs?text=needle&limit=10");
  assert.equal(found.items.length, 1);
  const all = await get<{ bars?: unknown }>(
    `/_/_/data/logs/volume?from=${now - 3_700_000}&to=${now - 1_000_000}`,
  );
  assert.ok(sumOf(all) >= released.records, "all log records");
  const visitors = await get<object>(`/_/_/data/visitors?from=${from}&to=${now + 60_000}`);
  assert.match(JSON.stringify(visitors), new RegExp(`"visitors":${released.visitors}\\b`));
  const config = await get<object>("/_/_/data/config");
  assert.match(JSON.stringify(config), /"metrics\.maxMegabytes".*?"value":77/);
}

/** The sum of all numbers in the counts of a volume. */
function sumOf(value: unknown): number {
  const text = JSON.stringify(value);
  const counts = [...text.matchAll(/"(?:count|info|debug|warn|error)":(\d+)/g)].map(([, count]) =>
    Number(count),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** From the first step to the last one. */
function expectedSteps(steps: readonly RegExpExecArray[], file: string): string[][] {
  const all = Number(steps.find(([, name]) => name === file)?.[3]);
  assert.ok(all >= 1, `${file} is upgraded`);
  return Array.from({ length: all }, (_, index) => [`${index + 1}`, `${all}`]);
}

describe("an upgrade of a folder of the last release", () => {
  before(async () => {
    original = createTemporaryFolder();
    await createReleasedFolder(original, now);
  });

  it("keeps all data, and says what it does", async (t) => {
    const server = start(t, copyOriginal());
    const [, url] = await server.says(/listening at (http:\S+)/);
    // A thread upgrades this file, and the server does not wait for it.
    await server.says(/Upgrading metrics\.db: step (\d+) of \1 /);
    const steps = [...server.stderr.matchAll(/^Upgrading (\S+): step (\d+) of (\d+) \(\S+\)$/gm)];
    for (const file of ["annex.db", "logs.db", "metrics.db"])
      assert.deepEqual(
        steps.filter(([, name]) => name === file).map(([, , step, all]) => [step, all]),
        expectedSteps(steps, file),
      );
    await assertComplete(url!);
  });

  it("can be killed at any step and at any time, and starts again", async (t) => {
    const folder = copyOriginal();
    // An upgrade that a kill was too late for has fewer steps left, or none.
    for (const moment of [1, 2, 4, 7].map((step) => new RegExp(`step ${step} of|logs.db|listening`))) {
      const server = start(t, folder);
      await server.says(moment);
      server.child.kill("SIGKILL");
      await server.ended;
    }
    const server = start(t, folder);
    const [, url] = await server.says(/listening at (http:\S+)/);
    await assertComplete(url!);
  });
});
