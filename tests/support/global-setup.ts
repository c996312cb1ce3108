/** `scripts/test/run.ts` calls these once around a run; the test files inherit the environment. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildWeb } from "../../scripts/build-web.ts";
import { writeBundles } from "./bundles.ts";
import { createMemoryFolder } from "./memory-folder.ts";
import { startPostgres, type TestServer } from "./postgres.ts";
import { createRunFolder } from "./run-folder.ts";

let server: TestServer | undefined;
let runFolder: string | undefined;

/** What a run prepares. A few test files do not need everything. */
export interface Needs {
  readonly web: boolean;
  readonly bundles: boolean;
  readonly postgres: boolean;
}

const everything: Needs = { web: true, bundles: true, postgres: true };

/** Returns the options of Node for the process of each test file. */
export async function globalSetup(needs: Needs = everything): Promise<string[]> {
  if (needs.web) {
    await buildWeb();
    process.env.ANNEX_TEST_WEB_IS_BUILT = "1";
  }
  // Most objects of a short program die young. With more room for them, V8 collects garbage less often.
  const options = [process.env.NODE_OPTIONS ?? "", "--max-semi-space-size=32"];
  if (needs.bundles) {
    const folder = join(import.meta.dirname, "../../node_modules/.cache/annex-tests/bundles");
    options.push(`--import=${pathToFileURL(await writeBundles(folder))}`);
  }
  process.env.NODE_OPTIONS = options.join(" ").trim();
  // The same for TypeScript, which is written in Go.
  process.env.GOGC ??= "400";
  const memoryFolder = process.env.TMPDIR ? undefined : createMemoryFolder();
  if (memoryFolder) process.env.TMPDIR = memoryFolder;
  runFolder = createRunFolder();
  process.env.ANNEX_TEST_RUN_FOLDER = runFolder;
  if (needs.postgres && !process.env.ANNEX_TEST_POSTGRES) {
    server = await startPostgres();
    process.env.ANNEX_TEST_POSTGRES = server.url;
  }
  // The bundles import it too.
  return needs.bundles ? [] : [`--import=${import.meta.resolve("./test-process.ts")}`];
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  if (runFolder) rmSync(runFolder, { recursive: true, force: true, maxRetries: 5 });
}
