/** `scripts/test.ts` calls these once around a run; the test files inherit the environment. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildWeb } from "../../scripts/build-web.ts";
import { bundleKysely } from "../../scripts/bundle-kysely.ts";
import { createBrowserFolder } from "./browser.ts";
import { startPostgres, type TestServer } from "./postgres.ts";

let server: TestServer | undefined;
let browserFolder: string | undefined;

export async function globalSetup(): Promise<void> {
  await buildWeb();
  process.env.ANNEX_TEST_KYSELY = join(
    import.meta.dirname,
    "../../node_modules/.cache/annex-tests/kysely.js",
  );
  await bundleKysely(process.env.ANNEX_TEST_KYSELY);
  browserFolder = createBrowserFolder();
  process.env.ANNEX_TEST_BROWSER_FOLDER = browserFolder;
  if (process.env.ANNEX_TEST_POSTGRES) return;
  server = await startPostgres();
  process.env.ANNEX_TEST_POSTGRES = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  if (browserFolder) rmSync(browserFolder, { recursive: true, force: true });
}
