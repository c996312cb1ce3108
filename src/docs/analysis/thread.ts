import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { collectGarbage } from "../../lib/collect-garbage.ts";
import { FolderWatchers } from "../../lib/folder-watchers.ts";
import type { HandlerOutline } from "../openapi/analysis.ts";
import { DocumentWriter } from "../openapi/document-writer.ts";
import { type Findings, noFindings } from "../openapi/facts.ts";
import { toFoundCode } from "../openapi/found-code.ts";
import { takesObject } from "../openapi/takes-object.ts";
import { splitAtHost } from "../openapi/written-document.ts";
import type { Anchors } from "./anchors.ts";
import { type CacheContent, isWhole, readCache, writeCache } from "./cache.ts";
import type { AuthenticateFunction, Route } from "./handlers/route.ts";
import { ScriptPositions } from "./handlers/script-positions.ts";
import type { FromThread, ThreadOptions, ToThread } from "./messages.ts";
import type { Project } from "./project.ts";
import { ResultKeeper } from "./result-keeper.ts";
import { digestOf, digestOfFile } from "./source/digest.ts";
import type { TypeEngineOptions } from "./types/query.ts";

/**
 * The thread in which the source is read, so that no request ever waits for it. Parser and compiler are loaded when
 * something has to be read, which after a start from the cache may be never.
 */

const port = parentPort!;
const { root, cacheFile, watches, environment } = workerData as ThreadOptions;
const tell = (message: FromThread) => port.postMessage(message);

/** Receives the response to the pending question. The server gets one question at a time. */
let answer: ((message: ToThread) => void) | undefined;

function ask<K extends ToThread["kind"]>(
  message: FromThread,
  _kind: K,
): Promise<Extract<ToThread, { kind: K }>> {
  tell(message);
  return new Promise((resolve) => {
    answer = resolve as (message: ToThread) => void;
  });
}

const require = createRequire(import.meta.url);
/** Raised when results must not be taken from a cache of before. 2: no secrets. 3: none of bodies. 4: routes of diagnostics. */
const cacheFormat = 4;
const versions = ["../../../package.json", "typescript/package.json", "oxc-parser/package.json"].map(
  (path) => (require(path) as { version: string }).version,
);
const madeBy = [...versions, cacheFormat].join(" ");

let routes: readonly Route[] = [];
let loaded: readonly string[] = [];
let authenticate: AuthenticateFunction | undefined;
let positions = new ScriptPositions({}, root);
let cached: CacheContent | undefined;
let opened: { project: Project; anchors: Anchors } | undefined;

/** Called when nothing has been read yet, or files have been saved since. */
async function open(): Promise<{ project: Project; anchors: Anchors }> {
  if (opened) return opened;
  const [{ Project }, { Anchors }] = await Promise.all([import("./project.ts"), import("./anchors.ts")]);
  const { ThreadEngine } = await import("./types/thread-engine.ts");
  const openEngine = (options: TypeEngineOptions) => new ThreadEngine(options);
  const program = {
    async locate(keys: readonly string[]) {
      const { routes: located, scripts } = await ask({ kind: "hidden", keys }, "located");
      positions.add(scripts);
      return positions.place(located);
    },
    textOf: (file: string, start: number, end: number) => positions.textOf(file, start, end),
    readValidators: async (validators: Extract<FromThread, { kind: "wanted" }>["validators"]) =>
      (await ask({ kind: "wanted", validators }, "validators")).schemas,
  };
  opened = {
    project: new Project({ root, loaded, openEngine, environment, remembered: cached }, program),
    anchors: new Anchors(),
  };
  return opened;
}

async function start(): Promise<void> {
  cached = cacheFile === undefined ? undefined : readCache(cacheFile, madeBy);
  if (cached && isWhole(cached, routesKey())) {
    tellFound({ level: "exact", ...cached.data }, true);
    if (watches) await holdPlaces();
  } else await analyze(true);
}

/** The last result. It stays in this thread; the server requests documents made from it. */
let findings: Findings = noFindings;

function tellFound(found: Findings & { level: "syntax" | "exact" }, isFinal: boolean): void {
  findings = found;
  const { level, diagnostics, facts, schemas } = found;
  const lookup = (identity: string) => schemas[identity]?.schema;
  const outlines = Object.entries(facts).map(([key, { source, requestBody }]): [string, HandlerOutline] => [
    key,
    { source, takesObject: takesObject(requestBody, lookup) },
  ]);
  tell({ kind: "found", level, isFinal, diagnostics, outlines: Object.fromEntries(outlines) });
}

const writer = new DocumentWriter();

function answerQuestion(message: Extract<ToThread, { kind: "write" | "list" }>): void {
  const { kind, ticket } = message;
  try {
    const answer =
      kind === "write" ? splitAtHost(writer.write({ ...message.order, findings })) : toFoundCode(findings);
    tell({ kind: "answer", ticket, answer });
  } catch (error) {
    tell({ kind: "refusal", ticket, reason: (error as Error).message });
  }
}

/** After an edit, the program still runs the handlers of before. */
const routesKey = () =>
  digestOf(JSON.stringify([routes, authenticate], (key, value) => (isText(key) ? undefined : value)));
const isText = (key: string) => key === "text" || key === "handlerText";

/** While only syntax is known, the documents of before an edit are better than those without schemas. */
async function analyze(isFirst: boolean): Promise<void> {
  clearTimeout(engineTimer);
  keeper.drop();
  keep = undefined;
  const { project } = await open();
  environmentBefore = project.environment;
  const options = { authenticate, ...(isFirst && { patienceMs }) };
  for await (const { level, isFinal, data } of project.analyze(routes, options)) {
    tellFound({ level, ...data }, isFinal);
    if (level === "exact") keep = () => keeper.keep(() => project.content(madeBy, routesKey(), data));
  }
  // Requests for documents come first.
  if (!isFirst) await delay(housekeepingMs);
  storeResult();
  if (!watches) return project.closeEngine();
  engineTimer = setTimeout(() => void project.closeEngine().then(collectGarbage), keepEngineMs).unref();
  await holdPlaces();
}

/** After so long, documents without schemas are better than none. */
const patienceMs = 5000;

/** Stores the last result, if it has not been stored. */
function storeResult(): void {
  keep?.();
  keep = undefined;
}

let keep: (() => void) | undefined;
/** How long housekeeping waits after an edit. */
const housekeepingMs = 100;

/** Looks for changes first: a result of an older state is not stored. */
const keeper = new ResultKeeper({
  write(content) {
    if (cacheFile !== undefined) writeCache(cacheFile, content);
  },
  retryLater(delayMs) {
    if (watches) setTimeout(() => void enqueue(readChanged), delayMs).unref();
  },
});

/** How long the compiler is kept after it was last asked, for the next change. */
const keepEngineMs = 60_000;
let engineTimer: NodeJS.Timeout | undefined;

/** Remembers the code at the registration of each route, to find it again after an edit. */
async function holdPlaces(): Promise<void> {
  const { project, anchors } = await open();
  anchors.hold(routes, (path) => project.fileAt(path));
  // What was seen before the analysis counts: it may have changed since.
  environmentBefore = new Map([...project.environment, ...environmentBefore]);
  // What was saved between reading and watching is seen now or never.
  if (watchFolders()) void enqueue(readChanged);
}

/** The files to look at, with their contents as they were read. */
function watchedFiles(): ReadonlyMap<string, string> {
  const kept = Object.entries(cached?.files ?? {}).map(([path, { digest }]) => [path, digest] as const);
  const all = new Map([...kept, ...(opened?.project.contents ?? [])]);
  return new Map([...all].filter(([path]) => !path.includes("/node_modules/")));
}

const watchers = new FolderWatchers(() => {
  clearTimeout(changeTimer);
  changeTimer = setTimeout(() => void enqueue(readChanged), settleMs);
});
let changeTimer: NodeJS.Timeout | undefined;
/** An editor may write a file in several steps. */
const settleMs = 80;

/** True when there are folders that were not watched before. */
function watchFolders(): boolean {
  return watchers.watch([...watchedFiles().keys(), ...environmentBefore.keys()]);
}

/** The compiler's configuration, as it was when it was last asked. */
let environmentBefore: ReadonlyMap<string, string> = new Map();

async function readChanged(): Promise<void> {
  watchFolders();
  const changed = [...watchedFiles()]
    .filter(([path, digest]) => digestOfFile(path) !== digest)
    .map(([path]) => path);
  const isOtherEnvironment = [...environmentBefore].some(([path, digest]) => digestOfFile(path) !== digest);
  if (changed.length === 0 && !isOtherEnvironment) return keeper.retry();
  const { project, anchors } = await open();
  if (isOtherEnvironment) project.forgetAll();
  project.forget(changed);
  cached = undefined;
  const moved = anchors.move(routes, (path) => project.fileAt(path));
  routes = moved.map((route, index) => route ?? routes[index]!);
  await analyze(false);
}

async function close(): Promise<void> {
  watchers.close();
  storeResult();
  // A thread that ends takes those that it has started with it.
  await opened?.project.close();
  tell({ kind: "closed" });
  port.close();
}

let work: Promise<unknown> = Promise.resolve();

/** One thing after the other. */
function enqueue(task: () => Promise<void>): Promise<unknown> {
  work = work.then(task, task);
  return work;
}

port.on("message", (message: ToThread) => {
  if (message.kind === "analyze") {
    positions = new ScriptPositions(message.scripts, root);
    routes = positions.place(message.routes);
    ({ loaded } = message);
    authenticate = message.authenticate && positions.placeFunction(message.authenticate);
    void enqueue(start);
  } else if (message.kind === "close") void close();
  else if (message.kind === "write" || message.kind === "list") answerQuestion(message);
  else answer?.(message);
});
