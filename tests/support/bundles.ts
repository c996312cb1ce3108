/**
 * Starting a process or thread means loading all of its modules: Annex has more than 500, and Kysely alone more than
 * 250. The tests start hundreds of both, so a run prepares what they load. It takes half as long then.
 *
 * - Threads and Kysely are bundled.
 * - The other modules of Annex stay as they are, but their types are removed once, and their files are found without
 *   the search of Node for links and packages.
 *
 * A package that a test builds or installs is loaded as it is.
 */
import { globSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "../..");

const testProcess = join(import.meta.dirname, "test-process.ts");

/** The modules that threads start with, and the services that they import by name. */
const threadModules = [
  "src/features/cron/cluster/heartbeat-thread.ts",
  "src/features/docs/analysis/thread.ts",
  "src/features/docs/analysis/types/engine-thread.ts",
  "src/features/logging/store/reader-worker.ts",
  "src/features/logging/store/worker.ts",
  "src/storage/background-thread.ts",
  "src/storage/sqlite/reader-thread.ts",
  ...globSync("src/features/*/background.ts", { cwd: root }),
];

/** Returns the module that every process and thread must import first, to load what was prepared. */
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
  await writeSources(folder);
  const bundled = threadModules.map((path, at) => [pathToFileURL(join(root, path)).href, urlOf(names[at]!)]);
  const imports = join(folder, "imports.mjs");
  await writeFile(imports, renderImports(Object.fromEntries(bundled), urlOf("kysely"), folder));
  return imports;
}

function urlText(file: string): string {
  return JSON.stringify(pathToFileURL(file).href);
}

/** Writes the modules of Annex without their types into one file, and where each of them begins and ends. */
async function writeSources(folder: string): Promise<void> {
  const places: Record<string, [start: number, end: number]> = {};
  const sources: Buffer[] = [];
  let start = 0;
  for (const path of globSync("src/**/*.ts", { cwd: root }).sort()) {
    if (path.endsWith(".test.ts") || path.endsWith(".d.ts")) continue;
    const file = join(root, path);
    // Replaced by spaces, so that lines and columns stay as they are.
    const source = Buffer.from(stripTypeScriptTypes(readFileSync(file, "utf8")));
    places[pathToFileURL(file).href] = [start, start + source.length];
    sources.push(source);
    start += source.length;
  }
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "sources.txt"), Buffer.concat(sources));
  await writeFile(join(folder, "sources.json"), JSON.stringify(places));
}

/** In JavaScript: a thread that loads no TypeScript need not load the module that removes types either. */
function renderImports(threads: Record<string, string>, kysely: string, folder: string): string {
  return `import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";

const threads = ${JSON.stringify(threads)};
const isOurs = (importer = "") =>
  importer.startsWith(${JSON.stringify(pathToFileURL(root).href)}) && !importer.includes("/node_modules/");

let places;
let sources;
function sourceOf(url) {
  places ??= JSON.parse(readFileSync(${JSON.stringify(join(folder, "sources.json"))}, "utf8"));
  const place = places[url];
  if (place === undefined) return undefined;
  sources ??= readFileSync(${JSON.stringify(join(folder, "sources.txt"))});
  return sources.toString("utf8", ...place);
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (specifier.startsWith(".") && specifier.endsWith(".ts") && isOurs(parentURL))
      return { url: new URL(specifier, parentURL).href, format: "module-typescript", shortCircuit: true };
    const isKysely = specifier === "kysely" && isOurs(parentURL);
    const url = isKysely ? ${JSON.stringify(kysely)} : threads[specifier];
    return url ? { url, shortCircuit: true } : next(specifier, context);
  },
  load(url, context, next) {
    const source = context.format === "module-typescript" ? sourceOf(url) : undefined;
    return source === undefined ? next(url, context) : { format: "module", source, shortCircuit: true };
  },
});

if (isMainThread && /\\.test\\.\\w+$/.test(process.argv[1] ?? "")) await import(${urlText(testProcess)});
`;
}
