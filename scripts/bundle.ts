/**
 * Bundles `src/` into a folder: loading one large file takes a fraction of the time of a thousand small ones.
 *
 * - The library and the `annex` command share their modules, so that each class exists once in a process.
 * - Threads have bundles of their own, with only the code that they use.
 * - Migrations, and modules that are imported when they are first used, are separate files.
 *
 * A module finds files beside it, such as assets and threads, by `import.meta.url`. In a bundle, this is the URL that it
 * would have without one: `src/auth/pages/assets` is `dist/auth/pages/assets`.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { type ChunkingContext, type OutputChunk, type Plugin, RolldownMagicString, rolldown } from "rolldown";
import { withSlashes } from "../src/lib/paths/paths.ts";
import { renderLicenses } from "./bundled-licenses.ts";

const root = join(import.meta.dirname, "..");
const source = join(root, "src");

/**
 * The packages whose code is part of the bundle: those that every start loads. The others remain dependencies, which
 * applications can update. Decision 163 explains the choice.
 */
export const bundledPackages = [
  "bowser",
  "crawler-user-agents",
  "find-my-way",
  "isbot",
  "kysely",
  "mrmime",
  "pino",
  "secure-json-parse",
];

/** The published declarations refer to this package, although its code is bundled. */
const typed = "kysely";

/** Types that only the sources need: the published declarations do not refer to them. */
const internalTypes = ["@types/better-sqlite3", "@types/pg"];

/** The dependencies of the published package. */
export function publishedDependencies(all: Readonly<Record<string, string>>): Record<string, string> {
  const unneeded = [...bundledPackages.filter((name) => name !== typed), ...internalTypes];
  const isNeeded = (name: string) => !unneeded.includes(name);
  return Object.fromEntries(Object.entries(all).filter(([name]) => isNeeded(name)));
}

/** Writes the bundles and the licenses of the packages that they contain. */
export async function bundle(target: string): Promise<void> {
  const library = ["index.ts", "cli/bin.ts", "cli/task-preload.ts", ...findMigrations()];
  const threads = findThreads();
  const isShared = (loads: (path: string) => boolean) => threads.filter(loads).length > 1;
  const light = ["bin", "main", "task-preload", "commands/doctor", "commands/init", "commands/worker"];
  const chunks = [
    ...(await write(target, "chunks", library, [
      // What these parts of the command share with the library, so that they do not load all of it.
      {
        name: "core",
        has: (loads) => loads("index.ts") && light.some((part) => loads(`cli/${part}.ts`)),
      },
      { name: "annex", has: (loads) => loads("index.ts") },
      { name: "main", has: (loads) => loads("cli/main.ts") },
    ])),
    ...(await write(target, "threads", threads, [
      // The analysis of source needs no database.
      { name: "base", has: (loads) => isShared(loads) && loads("features/docs/analysis/thread.ts") },
      { name: "shared", has: isShared },
    ])),
  ];
  for (const { sourcemapFileName } of chunks)
    if (sourcemapFileName !== null) removeSourcesOfPackages(join(target, sourcemapFileName));
  const licenses = renderLicenses(chunks.flatMap(({ moduleIds }) => moduleIds));
  writeFileSync(join(target, "THIRD-PARTY-LICENSES.txt"), licenses);
}

/**
 * A file for modules that are always loaded together. What they import is in it as well, or in files before it: two files
 * that import each other would fail at the start.
 */
interface CommonFile {
  readonly name: string;
  /** Whether it contains a module. `loads` returns whether the import of another module loads this one. */
  has(loads: (path: string) => boolean): boolean;
}

/** Writes the entries, and the files that they share into a folder. A module is in the first common file that has it. */
async function write(
  target: string,
  folder: string,
  entries: readonly string[],
  common: readonly CommonFile[],
): Promise<OutputChunk[]> {
  await using build = await rolldown({
    input: Object.fromEntries(entries.map((path) => [path.replace(/\.ts$/, ""), join(source, path)])),
    platform: "node",
    external: isExternal,
    plugins: [ownUrls],
    // As in tsconfig.json. Node 22 does not know `using`.
    transform: { target: "es2024" },
  });
  const groups = common.map(({ name, has }, index) => ({
    debugName: name,
    name: (id: string, context: ChunkingContext) =>
      has((path) => reachableFrom(join(source, path), context).has(id)) ? name : null,
    priority: common.length - index,
  }));
  const { output } = await build.write({
    dir: target,
    format: "esm",
    entryFileNames: "[name].js",
    // The names of common files list the entries that share them.
    chunkFileNames: ({ name }) => `${folder}/${name.split("~")[0]}.js`,
    sourcemap: true,
    keepNames: true,
    comments: { jsdoc: false, annotation: false, legal: true },
    intro: ({ fileName, moduleIds }) =>
      moduleIds.some((id) => usesFolder.has(id)) ? declareFolder(fileName) : "",
    codeSplitting: { groups },
  });
  return output.filter((file) => file.type === "chunk");
}

const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

function isExternal(name: string): boolean {
  const [, packageName = ""] = /^((?:@[^/]+\/)?[^./][^/]*)/.exec(name) ?? [];
  return isBuiltin(name) || (packageName in dependencies && !bundledPackages.includes(packageName));
}

/** The modules that `moduleBeside` names: those that threads and processes start with, and services that threads load. */
function findThreads(): string[] {
  const called = /moduleBeside\(import\.meta\.url, "([\w-]+)"\)/g;
  const found = listSources().flatMap((path) =>
    [...readFileSync(join(source, path), "utf8").matchAll(called)].map(([, name]) =>
      withSlashes(join(dirname(path), `${name}.ts`)),
    ),
  );
  return [...new Set(found)].filter((path) => !path.startsWith("cli/"));
}

function findMigrations(): string[] {
  return listSources().filter((path) => /\/migrations\/\d{3}-[\w-]+\.ts$/.test(path));
}

function listSources(): string[] {
  const isTest = (path: string) => /\.test\.ts$|(^|\/)testing\//.test(path);
  return globSync("**/*.ts", { cwd: source })
    .map((path) => withSlashes(path))
    .filter((path) => !isTest(path))
    .sort();
}

const reachable = new Map<string, Set<string>>();

function reachableFrom(entry: string, context: ChunkingContext): ReadonlySet<string> {
  const known = reachable.get(entry);
  if (known) return known;
  const found = new Set<string>();
  const add = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) add(imported);
  };
  add(entry);
  reachable.set(entry, found);
  return found;
}

const folderName = "annexFolder";
const usesFolder = new Set<string>();

/** Gives modules the URLs that they would have without a bundle. */
const ownUrls: Plugin = {
  name: "own-urls",
  transform(code, id) {
    if (!withSlashes(id).startsWith(withSlashes(source)) || !code.includes("import.meta.url"))
      return undefined;
    usesFolder.add(id);
    const path = withSlashes(relative(source, id)).replace(/\.ts$/, ".js");
    const text = new RolldownMagicString(code);
    text.replaceAll("import.meta.url", `(${folderName} + ${JSON.stringify(path)})`);
    return { code: text.toString(), map: text.generateMap({ hires: true }).toString() };
  },
};

/** A bundler of an application would take `new URL("../", import.meta.url)` for an asset. */
function declareFolder(fileName: string): string {
  const depth = fileName.split("/").length;
  return `const ${folderName} = import.meta.url.replace(/(?:\\/[^/]*){${depth}}$/, "/");`;
}

/** The positions and names in packages remain. Their sources would double the size of the maps. */
function removeSourcesOfPackages(file: string): void {
  const map = JSON.parse(readFileSync(file, "utf8")) as { sources: string[]; sourcesContent: unknown[] };
  map.sourcesContent = map.sourcesContent.map((content, index) =>
    map.sources[index]!.includes("/node_modules/") ? null : content,
  );
  writeFileSync(file, JSON.stringify(map));
}
