import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A place in a source file. Line and column count from 1. */
export interface SourceLocation {
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where the function was called that is `below`: the statement in the caller's source; `undefined` when that is no file. */
export function captureCaller(below: (...args: never[]) => unknown): SourceLocation | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 1;
    Error.prepareStackTrace = (_error, callSites) => callSites;
    const holder: { stack?: unknown } = {};
    Error.captureStackTrace(holder, below);
    const [site] = holder.stack as NodeJS.CallSite[];
    return site && toLocation(site);
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

function toLocation(site: NodeJS.CallSite): SourceLocation | undefined {
  const name = site.getFileName() ?? site.getScriptNameOrSourceURL?.();
  if (!name || name.startsWith("node:")) return undefined;
  const file = name.startsWith("file:") ? fileURLToPath(name) : name;
  return { file, line: site.getLineNumber() ?? 1, column: site.getColumnNumber() ?? 1 };
}

/**
 * The place in the source that a compiled file was made of, as its source map tells; the place itself where there is no
 * map. It reads files, so it is for those who want to know, not for everything that is captured.
 */
export function originalLocation(location: SourceLocation): SourceLocation {
  const map = /\.[cm]?js$/.test(location.file) ? readSourceMap(location.file) : undefined;
  const entry = map?.findEntry(location.line - 1, location.column - 1);
  if (!entry || !("originalSource" in entry)) return location;
  const { originalSource, originalLine, originalColumn } = entry;
  const file = resolve(dirname(location.file), originalSource.replace(/^file:\/\//, ""));
  return { file, line: originalLine + 1, column: originalColumn + 1 };
}

/** The files that a compiled file was made of; none when it was not compiled, or there is no map. */
export function sourcesOf(file: string): string[] {
  const map = /\.[cm]?js$/.test(file) ? readSourceMap(file) : undefined;
  return (map?.payload.sources ?? []).map((source) =>
    resolve(dirname(file), source.replace(/^file:\/\//, "")),
  );
}

const sourceMaps = new Map<string, SourceMap | undefined>();

function readSourceMap(file: string): SourceMap | undefined {
  if (!sourceMaps.has(file)) sourceMaps.set(file, parseSourceMap(file));
  return sourceMaps.get(file);
}

function parseSourceMap(file: string): SourceMap | undefined {
  try {
    const [, url] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(file, "utf8")) ?? [];
    if (url === undefined) return undefined;
    const inline = /^data:application\/json[^,]*;base64,(.*)$/.exec(url)?.[1];
    const text = inline
      ? Buffer.from(inline, "base64").toString()
      : readFileSync(resolve(dirname(file), url), "utf8");
    return new SourceMap(JSON.parse(text));
  } catch {
    // A map that is gone or broken costs the better place, and nothing else.
    return undefined;
  }
}

/** As an editor opens it: `src/app.ts:12:3`, from the working folder where that is shorter. */
export function showLocation(location: SourceLocation): string {
  const { file, line, column } = originalLocation(location);
  const below = relative(process.cwd(), file);
  return `${below.startsWith("..") ? file : below}:${line}:${column}`;
}
