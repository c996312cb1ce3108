import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeRelease } from "../../lib/release/release.ts";
import { type Command, UsageError } from "../command.ts";
import { compile } from "../compile.ts";
import { generateSpecs } from "./specs.ts";

export const build: Command = {
  help: [
    "Usage: annex build --production <entry> [--project <tsconfig>]",
    "",
    "Compiles the entry and the files that it imports into dist/, with the TypeScript and the tsconfig.json of the",
    "project. Then it writes the OpenAPI document of each version into the folder specs beside the compiled entry,",
    "dist/specs/. In production (NODE_ENV=production) the server reads the documents from there.",
    "",
    "  annex build --production src/server.ts",
    "  NODE_ENV=production node dist/server.js",
  ].join("\n"),
  async run(args) {
    const { values, positionals } = readArgs(args);
    const [entry, ...rest] = positionals;
    if (entry === undefined || rest.length > 0)
      throw new UsageError("Specify the application's entry file, such as server.ts.");
    if (!existsSync(entry)) throw new UsageError(`File not found: ${entry}.`);
    if (!values.production) throw new UsageError("Only production builds are supported: add --production.");
    const emitted = await compile(entry, values.project);
    if (emitted === undefined) return 1;
    writeRelease(resolve(entry), emitted, process.env);
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
