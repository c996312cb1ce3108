import inspector from "node:inspector";
import { fileURLToPath } from "node:url";
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

/** The files that the program has loaded, and whether each is an ES module. */
export function listLoadedFiles(): Map<string, { readonly isModule: boolean }> {
  return inspect(({ scripts }) => {
    const files = new Map<string, { isModule: boolean }>();
    for (const { url, isModule } of scripts.values()) {
      const path = pathOf(url);
      if (path !== undefined) files.set(path, { isModule });
    }
    return files;
  });
}

/** The scripts that run for these files. */
export function readScripts(paths: ReadonlySet<string>): Record<string, LoadedScript> {
  return inspect(({ session, scripts }) => {
    const found: Record<string, LoadedScript> = {};
    for (const [scriptId, { url, mapUrl }] of scripts) {
      const path = pathOf(url);
      if (path === undefined || !paths.has(path)) continue;
      const response = post<{ scriptSource: string }>(session, "Debugger.getScriptSource", { scriptId });
      found[path] = { text: response.scriptSource, mapUrl };
    }
    return found;
  });
}

/** Loaders append a query to the URL to load a file again. */
function pathOf(url: string): string | undefined {
  if (url.startsWith("file:")) return fileURLToPath(url);
  return url.startsWith("/") || /^[A-Za-z]:[\\/]/.test(url) ? url : undefined;
}

/** The value of a variable in a function's scope that the function does not declare itself. */
export function readVariable(func: AnyFunction, name: string): unknown {
  return inspect(({ session }) => {
    const scopes = internalOf(session, handleOf(session, func), "[[Scopes]]")?.objectId;
    for (const { value } of scopes ? propertiesOf(session, scopes) : []) {
      const variables = value?.objectId ? propertiesOf(session, value.objectId) : [];
      const found = variables.find((variable) => variable.name === name)?.value?.objectId;
      if (found) return fetchValue(session, found);
    }
    return undefined;
  });
}

/** Used to pass values between the program and the inspector. */
const shelf = Symbol.for("annex.inspected");
const shelved = globalThis as unknown as Record<symbol, unknown>;

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
  const session = new inspector.Session();
  session.connect();
  let scripts: ReadonlyMap<string, Script> | undefined;
  try {
    return work({
      session,
      get scripts() {
        scripts ??= listScripts(session);
        return scripts;
      },
    });
  } finally {
    delete shelved[shelf];
    session.disconnect();
  }
}

function listScripts(session: inspector.Session): Map<string, Script> {
  const scripts = new Map<string, Script>();
  session.on("Debugger.scriptParsed", ({ params: { scriptId, url, isModule = false, sourceMapURL = "" } }) =>
    scripts.set(scriptId, { url, isModule, mapUrl: sourceMapURL }),
  );
  post(session, "Debugger.enable");
  return scripts;
}

function handleOf(session: inspector.Session, value: unknown): string | undefined {
  shelved[shelf] = value;
  const expression = 'globalThis[Symbol.for("annex.inspected")]';
  return post<{ result: Remote }>(session, "Runtime.evaluate", { expression }).result.objectId;
}

function fetchValue(session: inspector.Session, objectId: string): unknown {
  const functionDeclaration = 'function () { globalThis[Symbol.for("annex.inspected")] = this; }';
  post(session, "Runtime.callFunctionOn", { objectId, functionDeclaration });
  return shelved[shelf];
}

/** A value in the inspector's format. */
interface Remote {
  readonly objectId?: string;
  readonly value?: unknown;
}

interface Properties {
  readonly result: readonly { name: string; value?: Remote }[];
  readonly internalProperties?: readonly { name: string; value?: Remote }[];
}

const readProperties = (session: inspector.Session, objectId: string) =>
  post<Properties>(session, "Runtime.getProperties", { objectId, ownProperties: true });

const propertiesOf = (session: inspector.Session, objectId: string) =>
  readProperties(session, objectId).result;

function internalOf(
  session: inspector.Session,
  objectId: string | undefined,
  name: string,
): Remote | undefined {
  if (objectId === undefined) return undefined;
  return readProperties(session, objectId).internalProperties?.find((each) => each.name === name)?.value;
}

/** For its own thread, the inspector calls back before `post` returns. */
function post<T>(session: inspector.Session, method: string, params: object = {}): T {
  let response: T | undefined;
  const done = (error: Error | null, result: T) => {
    if (!error) response = result;
  };
  (
    session.post as (method: string, params: object, done: (error: Error | null, result: T) => void) => void
  ).call(session, method, params, done);
  if (response === undefined) throw new Error(`The inspector did not respond to ${method}.`);
  return response;
}

function locate(inspection: Inspection, objectId: string | undefined): SourceLocation | undefined {
  const { session, scripts } = inspection;
  const bound = internalOf(session, objectId, "[[TargetFunction]]");
  if (bound) return locate(inspection, bound.objectId);
  const place = internalOf(session, objectId, "[[FunctionLocation]]")?.value as
    | { scriptId: string; lineNumber: number; columnNumber: number }
    | undefined;
  const file = place && pathOf(scripts.get(place.scriptId)?.url ?? "");
  if (!place || file === undefined) return undefined;
  return {
    file,
    line: place.lineNumber + 1,
    column: place.columnNumber + 1,
  };
}
