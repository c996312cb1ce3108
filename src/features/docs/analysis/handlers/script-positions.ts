import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { resolve } from "node:path";
import { resolveSource, showPath } from "../../../../lib/paths/paths.ts";
import { loadSourceMap, type SourceLocation } from "../../../../lib/source/source-location.ts";
import type { LoadedScript, LoadedScripts, LocationProblem, Route, RunningFunction } from "./route.ts";

/** The message does not name the file, so that the routes of all files can share it. */
const differs =
  "The running code differs from the file and has no source map. Restart the program if the file has changed. Otherwise enable source maps in the loader or compiler.";

/** The location in the source, or the reason why it is not known. */
type Origin = { readonly at: SourceLocation } | { readonly problem: LocationProblem };

type OriginFinder = (place: SourceLocation) => Origin;

/**
 * Maps locations of the running program to the source. The running text may differ from the files: loaders such as tsx
 * transform it, compilers and bundlers write other files. A location is used only if the running text is the file's
 * own, or if a source map leads to a file that has not changed since. No location is better than a wrong one.
 */
export class ScriptPositions {
  private readonly scripts: Record<string, LoadedScript>;
  private readonly root: string;
  private readonly finders = new Map<string, OriginFinder>();

  constructor(scripts: LoadedScripts, root: string) {
    this.scripts = { ...scripts };
    this.root = root;
  }

  add(scripts: LoadedScripts): void {
    Object.assign(this.scripts, scripts);
  }

  /** The routes with locations in the source. */
  place(routes: readonly Route[]): Route[] {
    const moved = new Map<RunningFunction, RunningFunction | undefined>();
    const move = (func: RunningFunction) => {
      if (!moved.has(func)) {
        const origin = this.find(func.at);
        moved.set(func, "at" in origin ? { ...func, at: origin.at } : undefined);
      }
      return moved.get(func);
    };
    return routes.map((route) => {
      const registered = route.registered && this.find(route.registered);
      const handler = route.handler && this.find(route.handler);
      const problem = [handler, registered].find((origin) => origin && "problem" in origin);
      return {
        ...route,
        registered: registered && "at" in registered ? registered.at : undefined,
        ...(route.handler && { handler: handler && "at" in handler ? handler.at : undefined }),
        middleware: route.middleware.flatMap((func) => move(func) ?? []),
        ...(problem && "problem" in problem && { problem: problem.problem }),
      };
    });
  }

  /** The function with its location in the source. */
  placeFunction<T extends { readonly at: SourceLocation | undefined }>(func: T): T {
    const origin = func.at && this.find(func.at);
    return { ...func, at: origin && "at" in origin ? origin.at : undefined };
  }

  /** The running text for a part of a file, if the program runs the file unchanged except for its types. */
  textOf(file: string, start: number, end: number): string | undefined {
    const text = this.scripts[file]?.text;
    return text !== undefined && this.isUntransformed(file) ? text.slice(start, end) : undefined;
  }

  private readonly untransformed = new Map<string, boolean>();

  private isUntransformed(file: string): boolean {
    const known = this.untransformed.get(file);
    if (known !== undefined) return known;
    const script = this.scripts[file];
    const source = readText(file);
    const is = script !== undefined && source !== undefined && hasOnlyBlanksInstead(script.text, source);
    this.untransformed.set(file, is);
    return is;
  }

  private find(place: SourceLocation): Origin {
    const known = this.finders.get(place.file) ?? this.createFinder(place.file);
    this.finders.set(place.file, known);
    return known(place);
  }

  private createFinder(file: string): OriginFinder {
    const script = this.scripts[file];
    const shown = this.show(file);
    const fail = (message: string): Origin => ({ problem: { message, file } });
    if (!script) return () => fail(`${shown} is not a file that Node has loaded.`);
    const map = readMap(file, script);
    // A compiled file also runs unchanged, but its source is needed.
    if (map) return (place) => this.findInMap(map, place);
    if (this.isUntransformed(file)) return (at) => ({ at });
    const isThere = existsSync(file);
    return () => fail(isThere ? differs : `${shown} no longer exists. Restart the program.`);
  }

  private findInMap({ map, folder, sources }: ReadMap, { line, column, file }: SourceLocation): Origin {
    const entry = map.findEntry(line - 1, column - 1);
    const fail = (message: string): Origin => ({ problem: { message, file } });
    if (!("originalSource" in entry) || entry.originalSource === undefined)
      return fail(`Its source map does not contain line ${line}. Compile it again.`);
    const source = sources.get(entry.originalSource) ?? {
      path: findSource(entry.originalSource, folder, this.root),
      content: undefined,
    };
    const shown = this.show(source.path);
    const text = readText(source.path);
    if (text === undefined)
      return fail(`Its source map refers to ${shown}, which cannot be read. Provide that file.`);
    if (source.content !== undefined && withoutMark(source.content) !== text)
      return fail(`${shown} has changed since it was loaded or compiled. Restart or compile again.`);
    return {
      at: { file: source.path, line: entry.originalLine + 1, column: entry.originalColumn + 1 },
    };
  }

  private show(path: string): string {
    return showPath(path, this.root);
  }
}

interface ReadMap {
  readonly map: SourceMap;
  /** The folder that source paths are relative to. */
  readonly folder: string;
  /** By the name in the source map. */
  readonly sources: ReadonlyMap<string, { path: string; content: string | undefined }>;
}

function readMap(file: string, { text, mapUrl }: LoadedScript): ReadMap | undefined {
  const loaded = loadSourceMap(file, text, mapUrl);
  if (!loaded) return undefined;
  const { payload, folder, isInline } = loaded;
  // A loader that transforms a single file may use only the last part of its name, or none.
  const isItself = payload.sources.length === 1 && isInline && !/\.[cm]?jsx?$/.test(file);
  const sources = payload.sources.map((name, index) => {
    const path = isItself ? file : findSource(name, folder, folder);
    return [name, { path, content: payload.sourcesContent?.[index] ?? undefined }] as const;
  });
  return { map: new SourceMap(payload), folder, sources: new Map(sources) };
}

function findSource(name: string, folder: string, root: string): string {
  const bundled = /^webpack:\/\/[^/]*\/(?:\.\/)?(.*)$/.exec(name)?.[1];
  return bundled === undefined ? resolveSource(folder, name) : resolve(root, bundled);
}

const withoutMark = (text: string) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

function readText(path: string): string | undefined {
  try {
    return withoutMark(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Node replaces types with blanks, and adds semicolons where a line would otherwise continue. Offsets do not change.
 */
function hasOnlyBlanksInstead(running: string, source: string): boolean {
  const text = withoutMark(running);
  if (text === source) return true;
  // Node may append the URL of the file to the text.
  if (
    text.length < source.length ||
    text
      .slice(source.length)
      .replace(/\s*\/\/# sourceURL=.*/, "")
      .trim() !== ""
  )
    return false;
  for (let at = 0; at < source.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== source.charCodeAt(at) && code !== 0x3b && !/\s/.test(text[at]!)) return false;
  }
  return true;
}
