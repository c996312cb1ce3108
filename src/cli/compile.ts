import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, parse, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { isInPackage, isWithin, nativePath, withSlashes } from "../lib/paths/paths.ts";
import { print, UsageError } from "./command.ts";
import { rewriteImports } from "./rewrite-imports.ts";

interface ShownConfig {
  readonly compilerOptions?: {
    readonly rootDir?: string;
    readonly sourceMap?: boolean;
    readonly inlineSourceMap?: boolean;
  };
  /** All files that the project includes. */
  readonly files?: readonly string[];
}

const outDir = "dist";

/**
 * Compiles an entry and the files that it imports, with the compiler and the configuration of the project. Returns the
 * compiled entry; `undefined` if there are errors, which are printed.
 */
export async function compile(entry: string, project = "tsconfig.json"): Promise<string | undefined> {
  if (/\.[cm]?js$/.test(entry)) return entry;
  const compiler = findCompiler();
  if (!existsSync(project))
    throw new UsageError(
      `File not found: ${project}. Create it with npx tsc --init, or specify another file with --project.`,
    );
  // Beside the project's own configuration, because "${configDir}" stands for its folder. Builds that run at the same
  // time can share a project, so each has its own file.
  const config = resolve(dirname(project), `tsconfig.annex-${process.pid}.json`);
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [compiler, ...args], { maxBuffer: 64 * 1024 * 1024 });
  try {
    const { stdout } = await run("-p", project, "--showConfig");
    const shown = JSON.parse(stdout) as ShownConfig;
    const ambient = listAmbient(project, shown);
    // The root folder is known only when the files are.
    const anywhere = parse(process.cwd()).root;
    writeConfig(config, project, shown, [resolve(entry), ...ambient], anywhere);
    const sources = listSources((await run("-p", config, "--listFilesOnly")).stdout);
    const root = rootOf(sources, shown.compilerOptions?.rootDir, project);
    // All are named, because the compiler does not write what it finds through node_modules, such as a workspace.
    writeConfig(config, project, shown, [...sources, ...ambient], root);
    await run("-p", config);
    const outputs = new Map(sources.map((source) => [source, outputOf(source, root)]));
    rewriteImports(outputs, resolve(project));
    const compiled = relative(process.cwd(), outputs.get(nativePath(resolve(entry)))!);
    print(`Compiled ${entry} to ${compiled} (${sources.length} files)`);
    return compiled;
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (stdout === undefined) throw error;
    process.stderr.write(`${stdout.trimEnd()}\n\nannex: Failed to compile ${entry}; nothing was written.\n`);
    return undefined;
  } finally {
    rmSync(config, { force: true });
  }
}

/** In a workspace, the compiler can be in a folder above the project. */
function findCompiler(folder = process.cwd()): string {
  const compiler = join(folder, "node_modules", "typescript", "bin", "tsc");
  if (existsSync(compiler)) return compiler;
  if (folder !== dirname(folder)) return findCompiler(dirname(folder));
  throw new UsageError("TypeScript is not installed: run npm install --save-dev typescript.");
}

/** The files of the project with declarations of global types, which nothing imports. */
function listAmbient(project: string, { files = [] }: ShownConfig): string[] {
  return files.map((file) => resolve(dirname(project), file)).filter(declaresTypes);
}

function declaresTypes(file: string): boolean {
  if (/\.d\.[cm]?ts$/.test(file)) return true;
  return existsSync(file) && /^\s*declare (?:global|module)\b/m.test(readFileSync(file, "utf8"));
}

/** Writes the project's configuration for these files, and not for the tests and tools that it includes as well. */
function writeConfig(
  path: string,
  project: string,
  { compilerOptions = {} }: ShownConfig,
  files: readonly string[],
  rootDir: string,
): void {
  // The maps lead from the routes of the compiled program to their source, where the types are.
  const hasMaps = compilerOptions.sourceMap || compilerOptions.inlineSourceMap;
  const config = {
    extends: withSlashes(resolve(project)),
    files: [...new Set(files)].map((file) => withSlashes(file)),
    include: [],
    references: [],
    compilerOptions: {
      rootDir: withSlashes(rootDir),
      outDir: withSlashes(resolve(outDir)),
      noEmit: false,
      noEmitOnError: true,
      emitDeclarationOnly: false,
      declaration: false,
      declarationMap: false,
      // `null` removes an option that the project sets.
      declarationDir: null,
      isolatedDeclarations: false,
      tsBuildInfoFile: null,
      composite: false,
      incremental: false,
      rewriteRelativeImportExtensions: true,
      ...(!hasMaps && { sourceMap: true }),
    },
  };
  writeFileSync(path, JSON.stringify(config));
}

/** The files that are compiled, out of all that the compiler reads. */
function listSources(listing: string): string[] {
  return listing
    .split("\n")
    .map((line) => line.trim())
    .filter((file) => file !== "" && !isInPackage(file) && !/\.d\.[cm]?ts$/.test(file))
    .map((file) => nativePath(resolve(file)));
}

/** A folder that contains all files, so that nothing is written outside of the output folder. */
function rootOf(files: readonly string[], rootDir: string | undefined, project: string): string {
  const configured = rootDir && resolve(dirname(project), rootDir);
  if (configured && files.every((file) => isWithin(configured, file))) return configured;
  return files.map(dirname).reduce((common, folder) => {
    let each = common;
    while (folder !== each && !isWithin(each, folder)) each = dirname(each);
    return each;
  });
}

function outputOf(source: string, root: string): string {
  return resolve(outDir, relative(root, source)).replace(/\.([cm]?)tsx?$/, ".$1js");
}
