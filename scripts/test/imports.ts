/** Which file imports which, read from the text of the sources. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** Paths relative to one folder. A target may lie outside it. */
export type Graph = ReadonlyMap<string, readonly string[]>;

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^;"']*?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)|new URL\(\s*["'](\.[^"']+\.ts)["']/g;

/** Statements that are gone in a running program: they import nothing but types. */
const typeImports = /(?:^|\n)\s*(?:import|export) (?:type\b|\{(?:\s*type\s[^,}]*,?)+\s*\} from)[^;]*;/g;

/** The imports of all sources in a folder, tests left out. */
export function readGraph(folder: string, options?: { withTypes?: boolean }): Graph {
  const files = globSync("**/*.{ts,tsx}", { cwd: folder });
  const own = files.filter((file) => !/\.test\.ts$|(^|\/)testing\//.test(file));
  return new Map(own.map((file) => [file, importsOf(folder, file, options)]));
}

export function importsOf(folder: string, file: string, { withTypes = true } = {}): string[] {
  const text = readFileSync(join(folder, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const source = withTypes ? text : text.replace(typeImports, "");
  return [...source.matchAll(importPattern)]
    .map((match) => match[1] ?? match[2] ?? match[3]!)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => relative(folder, resolve(folder, dirname(file), specifier)));
}

/** A file and all that it imports, also through others. */
export function reachable(graph: Graph, start: string): string[] {
  const found = new Set([start]);
  for (const file of found) for (const target of graph.get(file) ?? []) found.add(target);
  return [...found];
}
