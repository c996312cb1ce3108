import { isInPackage } from "../../../../lib/paths/paths.ts";
import type { Declaration, Origin } from "./shape.ts";

/** Converts offsets in a text to lines and columns. */
export function createLineTable(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

/**
 * The JSDoc comment of the code after the white space and comments in `trivia`. A comment on the line of the previous
 * declaration belongs to that one, unless everything is on one line.
 */
export function findComment(trivia: string, isStartOfFile: boolean): string | undefined {
  const comments = [...trivia.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n\r]*/g)];
  const own = comments.findLast(({ 0: text, index }) => {
    const isBehindOther =
      !/[\n\r]/.test(trivia.slice(0, index)) && /[\n\r]/.test(trivia.slice(index + text.length));
    return /^\/\*\*(?!\/)/.test(text) && (isStartOfFile || !isBehindOther);
  });
  return own?.[0];
}

/** Whether a file affects other files without being imported. */
export function declaresGlobals(text: string): boolean {
  return !/^\s*(import|export)\b/m.test(text) || /\bdeclare\s+(global|module)\b/.test(text);
}

/** `{ [K in keyof T]: string; }`, the output of compilers for a mapped type that they cannot resolve. */
export function isPrintedMapped(text: string): boolean {
  return /^\{ (?:[+-]?readonly )?\[\w+ in /.test(text);
}

export function originOf(file: string, isLibrary: boolean): Origin {
  if (isLibrary) return "library";
  return isInPackage(file) ? "package" : "project";
}

/** A path that is the same on every machine: relative to the root, or starting with the name of its package. */
export function portablePath(root: string, file: string): string {
  const path = file.replaceAll("\\", "/");
  const folder = `${root.replaceAll("\\", "/").replace(/\/+$/, "")}/`;
  const packages = path.lastIndexOf("/node_modules/");
  if (packages >= 0) return path.slice(packages + "/node_modules/".length);
  if (path.startsWith(folder)) return path.slice(folder.length);
  return climb(folder, path);
}

function climb(folder: string, path: string): string {
  const from = folder.split("/").slice(0, -1);
  const to = path.split("/");
  let common = 0;
  while (common < from.length && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => ".."), ...to.slice(common)].join("/");
}

/** Whether a property may be initialized with a library member or the result of one. Other properties are skipped. */
export function mayBeMade(declaration: Declaration | undefined): boolean {
  return (
    declaration?.origin === "project" &&
    /:[^;]*\b(length|size|getTime|now|floor|round|ceil|trunc|toISOString|randomUUID)\b/.test(declaration.text)
  );
}

/** Whether the file declares types of Node itself. */
export const isOfNode = (file: string) => /[\\/]@types[\\/]node[\\/]/.test(file);
