import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseSync } from "oxc-parser";

/** The first syntax error of a source file, with its location, or `undefined`. */
export function findSyntaxError(path: string): string | undefined {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return undefined;
  const text = readText(path);
  const [error] = text === undefined ? [] : parseSync(path, text).errors;
  if (text === undefined || !error) return undefined;
  const before = text.slice(0, error.labels[0]?.start ?? 0).split("\n");
  return `${path}:${before.length}:${before.at(-1)!.length + 1}: ${error.message}`;
}

/**
 * A sentence for an entry that Node would run as CommonJS although it is an ES module; `undefined` if all is well. A
 * loader such as tsx or ts-node runs both.
 */
export function findModuleProblem(entry: string, nodeOptions = process.env.NODE_OPTIONS): string | undefined {
  if (/(?:^|\s)(?:--import|--require|-r|--(?:experimental-)?loader)\b/.test(nodeOptions ?? ""))
    return undefined;
  const text = /\.[jt]s$/.test(entry) ? readText(entry) : undefined;
  if (text === undefined || !parseSync(entry, text).module.hasModuleSyntax) return undefined;
  return packageTypeOf(dirname(resolve(entry))) === "commonjs"
    ? `${entry} uses import or export, but package.json has "type": "commonjs". Run "npm pkg set type=module", or use a loader: NODE_OPTIONS="--import tsx"`
    : undefined;
}

/** The "type" of the nearest package.json, as Node finds it. */
function packageTypeOf(folder: string): string | undefined {
  const text = readText(join(folder, "package.json"));
  if (text !== undefined) return readType(text);
  return folder === dirname(folder) ? undefined : packageTypeOf(dirname(folder));
}

/** A package.json that is being written may not be valid yet. */
function readType(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { type?: string } | null)?.type;
  } catch {
    return undefined;
  }
}

/** A file that is gone has no errors. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
