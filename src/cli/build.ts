import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { parseArgs, promisify } from "node:util";
import { type Command, print, UsageError } from "./command.ts";
import { generateSpecs } from "./specs.ts";

export const build: Command = {
  name: "build",
  summary: "compile an application and write its documents, for production",
  help: [
    "Usage: annex build --production <entry> [--project <tsconfig>]",
    "",
    "Compiles the application with its own TypeScript into dist/, and writes the OpenAPI document of each version into",
    "the folder specs beside the compiled entry, dist/specs/. In production (NODE_ENV=production) the server reads them",
    "from there and analyses nothing.",
    "",
    "  annex build --production src/server.ts",
    "  NODE_ENV=production node dist/server.js",
  ].join("\n"),
  async run(args) {
    const { values, positionals } = readArgs(args);
    const [entry, ...rest] = positionals;
    if (entry === undefined || rest.length > 0)
      throw new UsageError("Say which file is the application's entry.");
    if (!existsSync(entry)) throw new UsageError(`There is no file ${entry}.`);
    if (!values.production) throw new UsageError("A build is for production: add --production.");
    const emitted = await compile(entry, values.project);
    if (emitted === undefined) return 1;
    return generateSpecs(emitted, join(dirname(emitted), "specs"));
  },
};

function readArgs(args: string[]) {
  try {
    const options = { production: { type: "boolean" }, project: { type: "string" } } as const;
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`);
  }
}

interface CompilerOptions {
  readonly rootDir?: string;
  readonly sourceMap?: boolean;
  readonly inlineSourceMap?: boolean;
}

/** Compiles with the compiler and the configuration of the project, and tells what became of the entry. */
async function compile(entry: string, project = "tsconfig.json"): Promise<string | undefined> {
  if (/\.[cm]?js$/.test(entry)) return entry;
  const compiler = join("node_modules", "typescript", "bin", "tsc");
  if (!existsSync(compiler)) {
    throw new UsageError("There is no TypeScript in node_modules: npm install --save-dev typescript.");
  }
  if (!existsSync(project))
    throw new UsageError(`There is no ${project}; name the project's with --project.`);
  const run = promisify(execFile);
  const { stdout: shown } = await run(process.execPath, [compiler, "-p", project, "--showConfig"]);
  const { rootDir, sourceMap, inlineSourceMap } =
    (JSON.parse(shown) as { compilerOptions?: CompilerOptions }).compilerOptions ?? {};
  const places = ["--outDir", "dist", ...(rootDir === undefined ? ["--rootDir", dirname(entry)] : [])];
  // Through the maps the routes of the compiled program are found in the source, where the types are.
  const maps = sourceMap || inlineSourceMap ? [] : ["--sourceMap"];
  const flags = ["--noEmit", "false", "--rewriteRelativeImportExtensions", "--listEmittedFiles", ...maps];
  try {
    const { stdout } = await run(process.execPath, [compiler, "-p", project, ...places, ...flags]);
    return findEmitted(stdout, entry);
  } catch (error) {
    process.stderr.write(String((error as { stdout?: string }).stdout ?? error));
    return undefined;
  }
}

/** The file that the entry became: of that name, and the nearest to where the output begins. */
function findEmitted(listing: string, entry: string): string {
  const name = basename(entry).replace(/\.([cm]?)tsx?$/, ".$1js");
  const files = [...listing.matchAll(/^TSFILE:\s*(.+?)\s*$/gm)].map(([, file]) =>
    relative(process.cwd(), file!),
  );
  const found = files
    .filter((file) => basename(file) === name)
    .sort((one, other) => one.length - other.length);
  if (found[0] === undefined) throw new UsageError(`The project's configuration does not compile ${entry}.`);
  print(`Compiled into ${dirname(found[0])}`);
  return found[0];
}
