import { existsSync, globSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { diffSpecs, readSpecFile, type SpecFile } from "../../features/docs/index.ts";
import { escapeControls } from "../../lib/text/terminal-text.ts";
import { type Command, print, printProblem, UsageError } from "../command.ts";
import { runInApplication } from "../task.ts";

const exitBreaking = 2;

export const specs: Command = {
  help: [
    "Usage: annex specs generate <entry> [--out <folder>]",
    "       annex specs validate <file or folder>",
    "       annex specs diff <old> <new>",
    "",
    "generate runs the application's entry without opening a port or a database and writes one file per version. The",
    "default folder is dist/specs.",
    "validate checks documents and exits with 1 if one of them is invalid.",
    "diff lists the changes between two files or folders. It exits with 2 if a change can affect clients of the old",
    "document, otherwise with 0.",
    "",
    "  annex specs generate server.ts --out specs",
    "  annex specs diff released/v1.json specs/v1.json",
  ].join("\n"),
  run(args) {
    const { values, positionals } = readArgs(args);
    const [action, ...paths] = positionals;
    if (action === "generate") return generate(paths, values.out);
    if (values.out !== undefined) throw new UsageError("--out is only valid with generate.");
    if (action === "validate") return Promise.resolve(validate(paths));
    if (action === "diff") return Promise.resolve(diff(paths));
    const problem = action === undefined ? "" : `Unknown action "${action}". `;
    throw new UsageError(`${problem}Specify an action: generate, validate or diff.`);
  },
};

function readArgs(args: string[]) {
  try {
    return parseArgs({ args, options: { out: { type: "string" } }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`);
  }
}

async function generate([entry, ...rest]: string[], out = "dist/specs"): Promise<number> {
  if (entry === undefined || rest.length > 0)
    throw new UsageError("Specify the application's entry file, such as server.ts.");
  return generateSpecs(entry, out);
}

/** Runs the entry. `app.start()` writes the documents instead of starting the server. */
export async function generateSpecs(entry: string, folder: string): Promise<number> {
  const before = new Date();
  const code = await runInApplication(entry, { kind: "specs", folder: resolve(folder) });
  if (code !== 0) return code;
  const isNew = (file: string) => statSync(file).mtime >= new Date(before.getTime() - 1_000);
  const written = existsSync(folder) ? findFiles(folder).filter(isNew) : [];
  if (written.length > 0) return validate(written);
  return wroteNothing(entry);
}

function wroteNothing(entry: string): number {
  printProblem(
    `${escapeControls(entry)} has no routes, so there are no documents to write. Add routes in app.onServe or to a version.`,
  );
  return 1;
}

function validate(paths: string[]): number {
  if (paths.length === 0) throw new UsageError("Specify the file or folder to validate.");
  const results = paths.flatMap(findFiles).map((file) => {
    const spec = readOrExplain(file);
    if ("problem" in spec) printProblem(escapeControls(`${file}: ${spec.problem}`));
    else print(escapeControls(`${file} is valid`));
    return "document" in spec;
  });
  if (results.length === 0) throw new UsageError(`No documents found in ${paths.join(", ")}.`);
  return results.every(Boolean) ? 0 : 1;
}

function diff([before, after, ...rest]: string[]): number {
  if (before === undefined || after === undefined || rest.length > 0) {
    throw new UsageError("Specify the old document and the new one.");
  }
  const changes = pair(before, after).flatMap(([name, old, next]) => {
    if (old === undefined) return [{ isBreaking: false, message: `${name} added` }];
    if (next === undefined) return [{ isBreaking: true, message: `${name} removed` }];
    return diffSpecs(documentOf(old), documentOf(next));
  });
  for (const { isBreaking, message } of changes)
    print(`${isBreaking ? "BREAKING" : "harmless"}  ${escapeControls(message)}`);
  const count = changes.filter(({ isBreaking }) => isBreaking).length;
  print(changes.length === 0 ? "No changes." : `Changes: ${changes.length}, breaking: ${count}.`);
  return count > 0 ? exitBreaking : 0;
}

/** The pairs of files to compare: two files, or the files with the same name in two folders. */
function pair(
  before: string,
  after: string,
): [name: string, old: string | undefined, next: string | undefined][] {
  const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();
  if (!isFolder(before) && !isFolder(after)) return [[after, before, after]];
  if (isFolder(before) !== isFolder(after)) throw new UsageError("Compare two files, or two folders.");
  const names = (folder: string) => findFiles(folder).map((file) => basename(file));
  const [old, next] = [names(before), names(after)];
  return [...new Set([...old, ...next])]
    .sort()
    .map((name) => [
      name,
      old.includes(name) ? join(before, name) : undefined,
      next.includes(name) ? join(after, name) : undefined,
    ]);
}

function documentOf(file: string): Record<string, unknown> {
  const spec = readOrExplain(file);
  if ("problem" in spec) throw new UsageError(`${file}: ${spec.problem}.`);
  return spec.document as unknown as Record<string, unknown>;
}

function readOrExplain(file: string): SpecFile {
  const spec = readSpecFile(file);
  if (spec === undefined) throw new UsageError(`File not found: ${file}.`);
  return spec;
}

function findFiles(path: string): string[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [path];
  return globSync("*.json", { cwd: path })
    .sort()
    .map((name) => join(path, name));
}
