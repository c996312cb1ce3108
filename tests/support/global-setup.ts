/** `node --test --test-global-setup` calls these once around a run; the test files inherit the environment. */
import { startPostgres, type TestServer } from "./postgres.ts";

let server: TestServer | undefined;

export async function globalSetup(): Promise<void> {
  if (process.env.ANNEX_TEST_POSTGRES) return;
  server = await startPostgres();
  process.env.ANNEX_TEST_POSTGRES = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
