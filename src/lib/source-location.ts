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
    const loaded = loadSourceMap(file, readFileSync(file, "utf8"));
    return loaded && new SourceMap(loaded.payload);
  } catch {
    return undefined;
  }
}

export interface LoadedSourceMap {
  readonly payload: SourceMap["payload"];
  /** The folder that its sources are relative to. */
  readonly folder: string;
  /** It is part of the code. */
  readonly isInline: boolean;
}

/**
 * The source map of some code: in the code, or where the code or `mapUrl` says. `undefined` if there is none. A map that
 * is missing or broken is treated as none: only the better position is lost.
 */
export function loadSourceMap(file: string, code: string, mapUrl = ""): LoadedSourceMap | undefined {
  try {
    const url = mapUrl || (/\/\/[#@] sourceMappingURL=(\S+)\s*$/.exec(code)?.[1] ?? "");
    if (url === "") return undefined;
    const [isInline, isBase64, data = ""] = /^data:application\/json[^,]*?(;base64)?,(.*)$/s.exec(url) ?? [];
    const place = url.startsWith("file:") ? fileURLToPath(url) : resolve(dirname(file), decodeURI(url));
    const text = !isInline
      ? readFileSync(place, "utf8")
      : isBase64
        ? Buffer.from(data, "base64").toString()
        : decodeURIComponent(data);
    const payload = JSON.parse(text) as SourceMap["payload"];
    const folder = resolve(dirname(isInline ? file : place), payload.sourceRoot ?? "");
    return { payload, folder, isInline: isInline !== undefined };
  } catch {
    return undefined;
  }
}

/** As an editor opens it: `src/app.ts:12:3`, from the working folder where that is shorter. */
export function showLocation(location: SourceLocation): string {
  const { file, line, column } = originalLocation(location);
  const below = relative(process.cwd(), file);
  return `${below.startsWith("..") ? file : below}:${line}:${column}`;
}
