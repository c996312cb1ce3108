/** Annex in each process of a cluster. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "../../../src/lib/testing/until.ts";
import { createTestDatabase } from "../../support/postgres.ts";
import { createFolder, startProgram } from "../../support/program.ts";

const source = fileURLToPath(new URL("../programs/cluster.ts", import.meta.url));

it("both processes of a cluster are observed, and one goes on without the other", async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.drop());
  const dataDir = createFolder(t);
  const program = startProgram(t, [source], { env: { DATA: dataDir, DATABASE: database.url } });
  const [, url, first] = await program.says(/worker 1 up at (http:\S+) as (\d+)/);
  await program.says(/worker 2 up/);

  const traces = new Map<number, string>();
  await until("both processes respond", async () => {
    const response = await fetch(`${url}/worker`);
    const { id } = (await response.json()) as { id: number };
    traces.set(id, response.headers.get("x-trace-id")!);
    return traces.size === 2;
  });
  for (const [id, trace] of traces) {
    await until("the request is in the log", () =>
      readFileSync(join(dataDir, `app-${id}.log`), "utf8").includes(trace),
    );
  }
  assert.equal((await fetch(`${url}/api/health`, { headers: { connection: "close" } })).status, 200);

  process.kill(Number(first), "SIGTERM");
  await program.says(/worker 1 ended with SIGTERM/);
  const rest = await fetch(`${url}/worker`);
  assert.deepEqual(await rest.json(), { id: 2 });
  assert.doesNotMatch(program.stdout, /worker 2 ended/);
});

it("the second process of a cluster with SQLite says why it cannot start", async (t) => {
  const program = startProgram(t, [source], { env: { DATA: createFolder(t) } });
  const [, ended] = await program.says(/worker (\d) ended with \d+/);
  await program.says(new RegExp(`worker ${ended === "1" ? 2 : 1} up`));
  assert.match(program.stderr, /annex: The data folder .* is in use by process \d+/);
  assert.doesNotMatch(program.stderr, /\n {4}at /);
});
