import { readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { type EcmaScriptModule, parseSync } from "oxc-parser";
import { nativePath, withSlashes } from "../lib/paths/paths.ts";
import { createSourceResolver } from "../lib/source/source-resolver.ts";

/**
 * Makes imports of compiled files relative. The compiler leaves aliases of a tsconfig and names of workspaces as they are,
 * and Node would not find the first and would run the source of the second. `outputs`: compiled files by their source.
 */
export function rewriteImports(outputs: ReadonlyMap<string, string>, tsconfig: string): void {
  const resolver = createSourceResolver(tsconfig);
  const find = (source: string, specifier: string) => {
    if (/^(\.|node:|data:|https?:)/.test(specifier)) return undefined;
    try {
      return outputs.get(nativePath(resolver.resolveFileSync(source, specifier).path ?? ""));
    } catch {
      return undefined;
    }
  };
  for (const [source, output] of outputs) {
    const text = readText(output);
    if (text === undefined) continue;
    const rewritten = rewriteText(output, text, (specifier) => find(source, specifier));
    if (rewritten !== text) writeFileSync(output, rewritten);
  }
}

function rewriteText(output: string, text: string, find: (specifier: string) => string | undefined): string {
  const requests = requestsIn(parseSync(output, text).module).toSorted(
    (one, other) => other.start - one.start,
  );
  return requests.reduce((rewritten, { start, end }) => {
    const [, quote, specifier] = /^(["'])(.*)\1$/.exec(text.slice(start, end)) ?? [];
    const target = specifier && find(specifier);
    if (!quote || !target) return rewritten;
    const path = withSlashes(relative(dirname(output), target));
    const shown = path.startsWith(".") ? path : `./${path}`;
    return `${rewritten.slice(0, start)}${quote}${shown}${quote}${rewritten.slice(end)}`;
  }, text);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where the specifiers of imports are. One statement may export several names from a module. */
function requestsIn({ staticImports, staticExports, dynamicImports }: EcmaScriptModule): Range[] {
  const exported = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest ?? []),
  );
  const all = [...staticImports, ...dynamicImports].map(({ moduleRequest }) => moduleRequest);
  return [...new Map([...all, ...exported].map((range) => [range.start, range])).values()];
}

/** A file of types alone is not written. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
