import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { resolveSource, showPath, toPath } from "../paths/paths.ts";

/** A location in a source file. Lines and columns start at 1. */
export interface SourceLocation {
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The location where the function `below` was called. `undefined` if the caller is not in a file. */
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
  const file = toPath(name) ?? name;
  return { file, line: site.getLineNumber() ?? 1, column: site.getColumnNumber() ?? 1 };
}

/**
 * Maps a location in a compiled file to its source. Without a source map, returns the location unchanged. Reads files,
 * so call it only when the location is needed.
 */
export function originalLocation(location: SourceLocation): SourceLocation {
  const map = /\.[cm]?js$/.test(location.file) ? readSourceMap(location.file) : undefined;
  const entry = map?.findEntry(location.line - 1, location.column - 1);
  if (!entry || !("originalSource" in entry)) return location;
  const { originalSource, originalLine, originalColumn } = entry;
  const file = resolveSource(dirname(location.file), originalSource);
  return { file, line: originalLine + 1, column: originalColumn + 1 };
}

/** The source files of a compiled file. Empty if it was not compiled or has no source map. */
export function sourcesOf(file: string): string[] {
  const map = /\.[cm]?js$/.test(file) ? readSourceMap(file) : undefined;
  return (map?.payload.sources ?? []).map((source) => resolveSource(dirname(file), source));
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
  /** The folder to which its sources are relative. */
  readonly folder: string;
  /** Whether it is part of the code. */
  readonly isInline: boolean;
}

/**
 * Loads the source map of code, inline or from the URL in the code or in `mapUrl`. `undefined` if there is none or if
 * it is invalid, which only affects the accuracy of locations.
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

/** Formats a location as `src/app.ts:12:3`, relative to the working folder if that is shorter. */
export function showLocation(location: SourceLocation): string {
  const { file, line, column } = originalLocation(location);
  return `${showPath(file, process.cwd())}:${line}:${column}`;
}
