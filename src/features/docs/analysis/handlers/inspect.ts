import type inspector from "node:inspector";
import { handleOf, internalOf, post, withSession } from "../../../../lib/node/inspection.ts";
import { toPath } from "../../../../lib/paths/paths.ts";
import type { SourceLocation } from "../../../../lib/source/source-location.ts";
import type { LoadedScript } from "./route.ts";

type AnyFunction = (...args: never[]) => unknown;

/** A script as parsed by V8. */
interface Script {
  readonly url: string;
  readonly isModule: boolean;
  readonly mapUrl: string;
}

interface Inspection {
  readonly session: inspector.Session;
  /** By ID. V8 lists every script on the first request, which takes some time. */
  readonly scripts: ReadonlyMap<string, Script>;
}

/**
 * The locations of functions in the running program, according to V8. Used for functions that the source does not show,
 * for example because a loop registers them or because they are bound as middleware elsewhere.
 */
export function locateFunctions(functions: readonly AnyFunction[]): (SourceLocation | undefined)[] {
  return inspect((inspection) =>
    functions.map((func) => locate(inspection, handleOf(inspection.session, func))),
  );
}

export interface LoadedFile {
  readonly isModule: boolean;
  /** A URL or a path, as the program has loaded it. */
  readonly name: string;
}

/** The files that the program has loaded, by path. */
export function listLoadedFiles(): Map<string, LoadedFile> {
  return inspect(({ scripts }) => {
    const files = new Map<string, LoadedFile>();
    for (const { url, isModule } of scripts.values()) {
      const path = toPath(url);
      // Loaders append a query to the URL to load a file again.
      if (path !== undefined) files.set(path, { isModule, name: url.replace(/^(file:[^?#]*).*/s, "$1") });
    }
    return files;
  });
}

/** The scripts that run for these files. */
export function readScripts(paths: ReadonlySet<string>): Record<string, LoadedScript> {
  return inspect(({ session, scripts }) => {
    const found: Record<string, LoadedScript> = {};
    for (const [scriptId, { url, mapUrl }] of scripts) {
      const path = toPath(url);
      if (path === undefined || !paths.has(path)) continue;
      const response = post<{ scriptSource: string }>(session, "Debugger.getScriptSource", { scriptId });
      found[path] = { text: response.scriptSource, mapUrl };
    }
    return found;
  });
}

let shared: Inspection | undefined;

/** Everything inspected inside the callback shares one session and the list of scripts. */
export function inspectTogether<T>(work: () => T): T {
  return inspect((inspection) => {
    const before = shared;
    shared = inspection;
    try {
      return work();
    } finally {
      shared = before;
    }
  });
}

function inspect<T>(work: (inspection: Inspection) => T): T {
  if (shared) return work(shared);
  return withSession((session) => {
    let scripts: ReadonlyMap<string, Script> | undefined;
    return work({
      session,
      get scripts() {
        scripts ??= listScripts(session);
        return scripts;
      },
    });
  });
}

function listScripts(session: inspector.Session): Map<string, Script> {
  const scripts = new Map<string, Script>();
  session.on("Debugger.scriptParsed", ({ params: { scriptId, url, isModule = false, sourceMapURL = "" } }) =>
    scripts.set(scriptId, { url, isModule, mapUrl: sourceMapURL }),
  );
  post(session, "Debugger.enable");
  return scripts;
}

function locate(inspection: Inspection, objectId: string | undefined): SourceLocation | undefined {
  const { session, scripts } = inspection;
  const bound = internalOf(session, objectId, "[[TargetFunction]]");
  if (bound) return locate(inspection, bound.objectId);
  const place = internalOf(session, objectId, "[[FunctionLocation]]")?.value as
    | { scriptId: string; lineNumber: number; columnNumber: number }
    | undefined;
  const file = place && toPath(scripts.get(place.scriptId)?.url ?? "");
  if (!place || file === undefined) return undefined;
  return {
    file,
    line: place.lineNumber + 1,
    column: place.columnNumber + 1,
  };
}
