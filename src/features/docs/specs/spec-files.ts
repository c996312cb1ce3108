import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { moveFile } from "../../../lib/paths/move-file.ts";
import type { OpenAPIDocument } from "../model/openapi.ts";
import { validateDocument } from "./validate.ts";

/** A document generated earlier, or the reason why it cannot be used. */
export type SpecFile =
  | { readonly file: string; readonly document: OpenAPIDocument; readonly madeAt: Date }
  | { readonly file: string; readonly problem: string };

const fileOf = (folder: string, label: string) => join(folder, `${label}.json`);

/**
 * Writes one file per version and deletes the documents of versions that no longer exist. Returns the files written.
 */
export function writeSpecs(folder: string, documents: ReadonlyMap<string, OpenAPIDocument>): string[] {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const isOld = name.endsWith(".json") && !documents.has(name.slice(0, -5));
    // Other files in this folder are left alone.
    if (isOld && isOurs(join(folder, name))) rmSync(join(folder, name));
  }
  return [...documents].map(([label, document]) => {
    const file = fileOf(folder, label);
    // Written to a temporary file first, so that a starting process never reads a partial document.
    writeFileSync(`${file}.new`, `${JSON.stringify(document, null, 2)}\n`);
    moveFile(`${file}.new`, file);
    return file;
  });
}

/** Whether Annex generated the document. */
function isOurs(file: string): boolean {
  const spec = readSpecFile(file);
  return spec !== undefined && "document" in spec && spec.document.info["x-status"] !== undefined;
}

/** Reads the document of a version; `undefined` if there is no such file. */
export function readSpec(folder: string, label: string): SpecFile | undefined {
  return readSpecFile(fileOf(folder, label));
}

export function readSpecFile(file: string): SpecFile | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? undefined : { file, problem: `cannot be read: ${message}` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { file, problem: `not valid JSON: ${(error as Error).message}` };
  }
  const problems = validateDocument(value);
  return problems.length === 0
    ? { file, document: value as OpenAPIDocument, madeAt: statSync(file).mtime }
    : { file, problem: problems.join("; ") };
}
