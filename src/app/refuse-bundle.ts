import { existsSync } from "node:fs";
import { moduleBeside } from "../lib/worker/threads.ts";

/** In a bundle, the assets and the modules of threads are missing, and each would fail with an error of its own. */
export function refuseBundle(): void {
  if (existsSync(moduleBeside(import.meta.url, "refuse-bundle"))) return;
  throw new Error(
    'Annex cannot be bundled, because it reads files next to its modules. Exclude it from the bundle, for example with "esbuild --packages=external".',
  );
}
