/** What a few tests need of the setup, so that they need not wait for the rest. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Needs } from "../../tests/support/global-setup.ts";
import { reachable } from "./imports.ts";
import type { Sources } from "./selection.ts";

export function needsOf({ root, imports }: Sources, tests: readonly string[]): Needs {
  const used = new Set(tests.flatMap((test) => reachable(imports, test)));
  const isWebBuilt = existsSync(join(root, "web/dist/dashboard/manifest.json"));
  return {
    web: used.has("scripts/build-web.ts") || (used.has("src/http/files/built-client.ts") && !isWebBuilt),
    bundles: used.has("tests/support/program.ts"),
    postgres: used.has("tests/support/postgres.ts"),
  };
}
