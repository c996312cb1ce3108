import inspector from "node:inspector";
import { fileURLToPath } from "node:url";
import type { SourceLocation } from "../../../lib/source-location.ts";
import type { LoadedScript } from "./route.ts";

type AnyFunction = (...args: never[]) => unknown;

/**
 * Where functions of the running program begin, as V8 knows it: for those that the source does not show, because they
 * were put into a route by a loop, or bound as middleware somewhere.
 */
export function locateFunctions(functions: readonly AnyFunction[]): (SourceLocation | undefined)[] {
  return inspect((session) => {
    const urls = new Map<string, string>();
    session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url));
    post(session, "Debugger.enable");
    return functions.map((func) => locate(session, handleOf(session, func), urls));
  });
}

/** The files that the program has loaded, and whether each is an ES module. */
export function listLoadedFiles(): Map<string, { readonly isModule: boolean }> {
  return inspect((session) => {
    const files = new Map<string, { isModule: boolean }>();
    session.on("Debugger.scriptParsed", ({ params: { url, isModule = false } }) => {
      const path = pathOf(url);
      if (path !== undefined) files.set(path, { isModule });
    });
    post(session, "Debugger.enable");
    return files;
  });
}

/** The scripts that run in the place of some files. */
export function readScripts(paths: ReadonlySet<string>): Record<string, LoadedScript> {
  return inspect((session) => {
    const found = new Map<string, { scriptId: string; mapUrl: string }>();
    session.on("Debugger.scriptParsed", ({ params: { url, scriptId, sourceMapURL = "" } }) => {
      const path = pathOf(url);
      if (path !== undefined && paths.has(path)) found.set(path, { scriptId, mapUrl: sourceMapURL });
    });
    post(session, "Debugger.enable");
    return Object.fromEntries(
      [...found].map(([path, { scriptId, mapUrl }]) => {
        const { scriptSource } = post<{ scriptSource: string }>(session, "Debugger.getScriptSource", {
          scriptId,
        });
        return [path, { text: scriptSource, mapUrl }];
      }),
    );
  });
}

/** Loaders add a query to addresses, to load a file once more. */
function pathOf(url: string): string | undefined {
  if (url.startsWith("file:")) return fileURLToPath(url);
  return url.startsWith("/") || /^[A-Za-z]:[\\/]/.test(url) ? url : undefined;
}

/** The value of a variable that a function sees and does not declare itself. */
export function readVariable(func: AnyFunction, name: string): unknown {
  return inspect((session) => {
    const scopes = internalOf(session, handleOf(session, func), "[[Scopes]]")?.objectId;
    for (const { value } of scopes ? propertiesOf(session, scopes) : []) {
      const variables = value?.objectId ? propertiesOf(session, value.objectId) : [];
      const found = variables.find((variable) => variable.name === name)?.value?.objectId;
      if (found) return fetchValue(session, found);
    }
    return undefined;
  });
}

/** Where values are passed between the program and the inspector. */
const shelf = Symbol.for("annex.inspected");
const shelved = globalThis as unknown as Record<symbol, unknown>;

function inspect<T>(work: (session: inspector.Session) => T): T {
  const session = new inspector.Session();
  session.connect();
  try {
    return work(session);
  } finally {
    delete shelved[shelf];
    session.disconnect();
  }
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

/** A value as the inspector shows it. */
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

/** In its own thread every answer is there before `post` returns. */
function post<T>(session: inspector.Session, method: string, params: object = {}): T {
  let answer: T | undefined;
  const done = (error: Error | null, result: T) => {
    if (!error) answer = result;
  };
  (
    session.post as (method: string, params: object, done: (error: Error | null, result: T) => void) => void
  ).call(session, method, params, done);
  if (answer === undefined) throw new Error(`The inspector gave no answer to ${method}.`);
  return answer;
}

function locate(
  session: inspector.Session,
  objectId: string | undefined,
  urls: ReadonlyMap<string, string>,
): SourceLocation | undefined {
  const bound = internalOf(session, objectId, "[[TargetFunction]]");
  if (bound) return locate(session, bound.objectId, urls);
  const place = internalOf(session, objectId, "[[FunctionLocation]]")?.value as
    | { scriptId: string; lineNumber: number; columnNumber: number }
    | undefined;
  const file = place && pathOf(urls.get(place.scriptId) ?? "");
  if (!place || file === undefined) return undefined;
  return {
    file,
    line: place.lineNumber + 1,
    column: place.columnNumber + 1,
  };
}
