import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Command, print, UsageError } from "./command.ts";
import { generateSpecs } from "./specs.ts";

export const build: Command = {
  name: "build",
  summary: "compile an application and write its documents, for production",
  help: [
    "Usage: annex build --production <entry> [--project <tsconfig>]",
    "",
    "Compiles the application with its own TypeScript into dist/, and writes the OpenAPI document of each version to",
    "dist/specs/. In production (NODE_ENV=production) the server reads them from there and analyses nothing.",
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
    const compiled = await compile(entry, values.project);
    if (compiled !== 0) return compiled;
    return generateSpecs(entry, "dist/specs");
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

/** With the compiler and the configuration of the project; JavaScript needs neither. */
async function compile(entry: string, project: string | undefined): Promise<number> {
  if (/\.[cm]?js$/.test(entry)) return 0;
  const compiler = join("node_modules", "typescript", "bin", "tsc");
  if (!existsSync(compiler)) {
    throw new UsageError("There is no TypeScript in node_modules: npm install --save-dev typescript.");
  }
  const config = project ?? "tsconfig.json";
  if (!existsSync(config)) throw new UsageError(`There is no ${config}; name the project's with --project.`);
  const args = [
    compiler,
    "-p",
    config,
    "--noEmit",
    "false",
    "--outDir",
    "dist",
    "--rewriteRelativeImportExtensions",
  ];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code === 0) print("Compiled into dist/");
  return code ?? 1;
}
