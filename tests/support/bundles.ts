/**
 * Starting a thread means loading all of its modules, and Kysely alone has more than 250. The tests start hundreds of
 * applications with two threads each, so a run bundles what they load: it saves a third of what a start costs.
 *
 * A package that a test builds or installs is loaded as it is.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "../..");

/** The modules that threads start with, and the services that they import by name. */
const threadModules = [
  "src/features/logging/store/worker.ts",
  "src/features/metrics/background.ts",
  "src/storage/background-thread.ts",
  "src/features/visitors/background.ts",
];

/** Returns the module that every process and thread must import first, to load the bundles. */
export async function writeBundles(folder: string): Promise<string> {
  const names = threadModules.map((path) => path.replace(/\.ts$/, "").replaceAll("/", "-"));
  const urlOf = (name: string) => pathToFileURL(join(folder, `${name}.mjs`)).href;
  await using bundle = await rolldown({
    input: {
      kysely: new URL(import.meta.resolve("kysely")).pathname,
      ...Object.fromEntries(threadModules.map((path, at) => [names[at], join(root, path)])),
    },
    platform: "node",
    // A bundled module still finds the files beside its source, such as migrations.
    plugins: [
      { name: "source-url", transform: (code, id) => code.replaceAll("import.meta.url", urlText(id)) },
    ],
    external: (name) => /^[^./]/.test(name) && !name.startsWith("kysely"),
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  const bundled = threadModules.map((path, at) => [pathToFileURL(join(root, path)).href, urlOf(names[at]!)]);
  const imports = join(folder, "imports.mjs");
  await writeFile(imports, renderImports(Object.fromEntries(bundled), urlOf("kysely")));
  return imports;
}

function urlText(file: string): string {
  return JSON.stringify(pathToFileURL(file).href);
}

/** In JavaScript: a thread that loads no TypeScript need not load the module that removes types either. */
function renderImports(threads: Record<string, string>, kysely: string): string {
  return `import { registerHooks } from "node:module";

const threads = ${JSON.stringify(threads)};
const isOurs = (importer = "") =>
  importer.startsWith(${JSON.stringify(pathToFileURL(root).href)}) && !importer.includes("/node_modules/");

registerHooks({
  resolve(specifier, context, next) {
    const isKysely = specifier === "kysely" && isOurs(context.parentURL);
    const url = isKysely ? ${JSON.stringify(kysely)} : threads[specifier];
    return url ? { url, shortCircuit: true } : next(specifier, context);
  },
});
`;
}
