/** A fault that is planted in a copy of the sources, to see whether the tests notice it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Mutant {
  /** What goes wrong, such as "a paused job is retried". */
  readonly fault: string;
  /** Occurs exactly once below `folder`, so that the mutant survives a move of the code. */
  readonly text: string;
  readonly replacement: string;
  readonly folder: string;
  /** The nearest tests, most likely first. */
  readonly tests: readonly string[];
}

type Fault = Omit<Mutant, "folder" | "tests"> & { readonly tests: string | readonly string[] };

/** Paths of tests are relative to the folder, or begin with "tests/". */
export function within(folder: string, faults: readonly Fault[]): Mutant[] {
  const pathOf = (test: string) => `${test.startsWith("tests/") ? test : `${folder}/${test}`}.test.ts`;
  return faults.map((fault) => ({ ...fault, folder, tests: [fault.tests].flat().map(pathOf) }));
}

export interface Place {
  readonly file: string;
  readonly source: string;
  readonly mutated: string;
}

/** Finds the text of a mutant. `files`: all files of the repository. */
export function locate(root: string, files: readonly string[], mutant: Mutant): Place {
  const { folder, text, replacement, fault, tests } = mutant;
  const own = files.filter((file) => file.startsWith(`${folder}/`) && /(?<!\.test)\.tsx?$/.test(file));
  const sources = own.map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));
  const found = sources.filter(({ source }) => source.includes(text));
  const [first] = found;
  const count = found.reduce((sum, { source }) => sum + source.split(text).length - 1, 0);
  if (first === undefined || count !== 1)
    throw new Error(`"${fault}": the text occurs ${count} times below ${folder}, not once: ${text}`);
  const missing = tests.filter((test) => !files.includes(test));
  if (missing.length > 0) throw new Error(`"${fault}": these tests do not exist: ${missing.join(", ")}`);
  return { ...first, mutated: first.source.replace(text, () => replacement) };
}
