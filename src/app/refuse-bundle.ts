import { hasBackgroundThread } from "../storage/index.ts";

/**
 * In the bundle of an application, the assets and the modules of threads are missing, and each would fail with an error of
 * its own. In the published package, which is bundled too, they are where the code expects them.
 */
export function refuseBundle(): void {
  if (hasBackgroundThread()) return;
  refusePrototype();
  throw new Error(
    'Annex cannot be bundled, because it reads files next to its modules. Exclude it from the bundle, for example with "esbuild --packages=external".',
  );
}

/** Node reads options such as `path` and `get` also from `Object.prototype`, and then finds no file. */
function refusePrototype(): void {
  const names = Object.keys(Object.prototype).map((name) => `Object.prototype.${name}`);
  if (names.length === 0) return;
  throw new Error(
    `Annex cannot start, because functions of Node.js fail with ${names.join(", ")}. Remove the code that adds to Object.prototype.`,
  );
}
