/** `scripts/test.ts` loads this into every test file. The threads of the applications that it starts load Kysely as one file. */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

const bundle = process.env.ANNEX_TEST_KYSELY;

if (!isMainThread && bundle) {
  const url = pathToFileURL(bundle).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "kysely" ? { url, shortCircuit: true } : next(specifier, context),
  });
}
