import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { parseArgs } from "node:util";
import { loadClientGenerator, type OpenAPIDocument, readSpecFile } from "../../features/docs/index.ts";
import { escapeControls } from "../../lib/text/terminal-text.ts";
import { type Command, print, printProblem, UsageError } from "../command.ts";
import { runInApplication } from "../task.ts";

/** Distinguishes a check that found something from one that failed. */
const exitOutdated = 2;

export const client: Command = {
  help: [
    "Usage: annex client <entry> [version] --out <file> [--check]",
    "       annex client <document> --out <file> [--check]",
    "",
    "Writes a typed client of the API to a TypeScript file without dependencies, for browsers and Node. The command runs",
    "the application's entry without opening a port or a database, or reads a document of annex specs. The version is",
    "needed if the application has several. A file that is current is not written.",
    "",
    "  --out <file>  the file to write",
    "  --check       write nothing; exit with 2 if the file is missing or not current",
    "",
    "  annex client server.ts --out web/src/api-client.ts",
    "  annex client server.ts v2 --out web/src/api-client.ts --check",
    "  annex client dist/specs/v2.json --out web/src/api-client.ts",
  ].join("\n"),
  async run(args) {
    const { values, positionals } = readArgs(args);
    const [source, version, ...rest] = positionals;
    if (source === undefined || rest.length > 0)
      throw new UsageError("Specify the application's entry file and the version, such as server.ts v1.");
    if (!values.out) throw new UsageError("Specify the file to write, such as --out src/api-client.ts.");
    const document =
      extname(source) === ".json" ? readDocument(source, version) : await generate(source, version);
    if (document === undefined) return 1;
    const { createClientSource, hasTypes, missingTypes } = await loadClientGenerator();
    if (!hasTypes(document)) {
      printProblem(missingTypes);
      return 1;
    }
    const text = createClientSource(document);
    return values.check ? check(values.out, text, positionals) : write(values.out, text);
  },
};

function readArgs(args: string[]) {
  try {
    const options = { out: { type: "string" }, check: { type: "boolean" } } as const;
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`);
  }
}

function readDocument(file: string, version: string | undefined): OpenAPIDocument {
  if (version !== undefined) throw new UsageError("A document has one version. Omit the version.");
  const spec = readSpecFile(file);
  if (spec === undefined) throw new UsageError(`File not found: ${file}.`);
  if ("problem" in spec) throw new UsageError(`${file}: ${spec.problem}.`);
  return spec.document;
}

/** Runs the entry to write its documents to a temporary folder. Returns `undefined` if it failed and said why. */
async function generate(entry: string, wanted: string | undefined): Promise<OpenAPIDocument | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "annex-client-"));
  try {
    if ((await runInApplication(entry, { kind: "specs", folder })) !== 0) return undefined;
    const { chooseVersion } = await loadClientGenerator();
    const labels = globSync("*.json", { cwd: folder }).map((name) => basename(name, ".json"));
    const choice = chooseVersion(labels.sort(), wanted);
    if ("problem" in choice) {
      if (labels.length > 0) throw new UsageError(choice.problem);
      printProblem(choice.problem);
      return undefined;
    }
    return readDocument(join(folder, `${choice.version}.json`), undefined);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function write(file: string, source: string): Promise<number> {
  const { compareClientFile, foreignFile, writeClientFile } = await loadClientGenerator();
  const state = compareClientFile(file, source);
  if (state === "foreign") throw new UsageError(`${file}: ${foreignFile}`);
  if (state !== "current") writeClientFile(file, source);
  print(escapeControls(state === "current" ? `${file} is current` : `Wrote ${file}`));
  return 0;
}

async function check(file: string, source: string, positionals: readonly string[]): Promise<number> {
  const { compareClientFile } = await loadClientGenerator();
  const state = compareClientFile(file, source);
  if (state === "current") {
    print(escapeControls(`${file} is current`));
    return 0;
  }
  const problem = state === "missing" ? "does not exist" : "is not current";
  const command = `annex client ${positionals.join(" ")} --out ${file}`;
  printProblem(escapeControls(`${file} ${problem}. Run: ${command}`));
  return exitOutdated;
}
