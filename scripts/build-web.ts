/** Builds the clients for browsers, unless what lies in `web/dist` is younger than everything it is made of. */
import { globSync, statSync } from "node:fs";
import { join } from "node:path";

const clients = ["dashboard", "docs"];
const root = join(import.meta.dirname, "..");

export async function buildWeb({ always = false }: { always?: boolean } = {}): Promise<void> {
  // A run of the tests has built them already. Building again would remove files that other tests read.
  if (process.env.ANNEX_TEST_WEB_IS_BUILT) return;
  if (!always && isFresh()) return;
  const { NODE_ENV } = process.env;
  // Loading Vite takes longer than all the rest, and usually there is nothing to build.
  const { build } = await import("vite");
  for (const client of clients) await build({ configFile: join(root, "web/vite.config.ts"), mode: client });
  // Vite declares the whole process to be in production, and a test that goes on in it would start another application.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
}

function isFresh(): boolean {
  const sources = globSync(["web/src/**/*", "web/*.ts", "package-lock.json"], { cwd: root });
  const builtAt = Math.min(...clients.map((client) => timeOf(`web/dist/${client}/manifest.json`)));
  return sources.every((file) => timeOf(file) < builtAt);
}

function timeOf(file: string): number {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (import.meta.main) await buildWeb({ always: process.argv.includes("--always") });
