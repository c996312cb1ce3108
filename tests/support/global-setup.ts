/** `scripts/test.ts` calls these once around a run; the test files inherit the environment. */
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

export async function globalSetup(): Promise<void> {
  await buildWeb();
  process.env.ANNEX_TEST_WEB_IS_BUILT = "1";
  const imports = await writeBundles(
    join(import.meta.dirname, "../../node_modules/.cache/annex-tests/bundles"),
  );
  // Most objects of a short program die young. With more room for them, V8 collects garbage less often.
  const options = [
    process.env.NODE_OPTIONS ?? "",
    "--max-semi-space-size=32",
    `--import=${pathToFileURL(imports).href}`,
  ];
  process.env.NODE_OPTIONS = options.join(" ").trim();
  // The same for TypeScript, which is written in Go.
  process.env.GOGC ??= "400";
  const memoryFolder = process.env.TMPDIR ? undefined : createMemoryFolder();
  if (memoryFolder) process.env.TMPDIR = memoryFolder;
  runFolder = createRunFolder();
  process.env.ANNEX_TEST_RUN_FOLDER = runFolder;
  if (process.env.ANNEX_TEST_POSTGRES) return;
  server = await startPostgres();
  process.env.ANNEX_TEST_POSTGRES = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  if (runFolder) rmSync(runFolder, { recursive: true, force: true });
}
