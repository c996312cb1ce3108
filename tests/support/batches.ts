/**
 * The unit tests are many small files, and a process that loads Annex costs more than most of them. A whole run puts
 * those of a folder into a few processes. A file with hooks of its own stays alone: they would apply to all others.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../..");
const mostFiles = 10;

/** Returns modules that import these test files, in their order. `files`: absolute paths. */
export function writeBatches(files: readonly string[], folder: string): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const groups = Map.groupBy(files, (file) => (hasHooks(file) ? file : featureOf(file)));
  return [...groups].flatMap(([name, own]) => (own[0] === name ? own : writeGroup(name, own, folder)));
}

function writeGroup(name: string, files: readonly string[], folder: string): string[] {
  const count = Math.ceil(files.length / mostFiles);
  return Array.from({ length: count }, (_, index) => {
    // In JavaScript, because Node does not remove types below node_modules.
    const batch = join(folder, `${name}-${index + 1}.test.mjs`);
    // Dealt out one by one: files that take long are often neighbours.
    const own = files.filter((_file, at) => at % count === index);
    writeFileSync(batch, own.map((file) => `import ${JSON.stringify(pathToFileURL(file).href)};\n`).join(""));
    return batch;
  });
}

/** The folder below `src`, such as `src-http` or `src-features-cron`. */
function featureOf(file: string): string {
  const folders = relative(root, file).split(sep).slice(0, -1);
  return folders.slice(0, folders[1] === "features" ? 3 : 2).join("-");
}

function hasHooks(file: string): boolean {
  return /^(before|after|beforeEach|afterEach)\(/m.test(readFileSync(file, "utf8"));
}
