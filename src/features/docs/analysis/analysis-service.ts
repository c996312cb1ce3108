import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { collectGarbage } from "../../../lib/node/collect-garbage.ts";
import { isInPackage } from "../../../lib/paths/paths.ts";
import { digestOf, digestOfFile } from "../../../lib/source/digest.ts";
import { FolderWatchers } from "../../../lib/source/folder-watchers.ts";
import type { Served, SingleContext } from "../../../lib/worker/serve-worker.ts";
import { type Findings, noFindings } from "../model/facts.ts";
import type { HandlerOutline } from "../openapi/analysis.ts";
import { DocumentWriter } from "../openapi/document-writer.ts";
import { expectedBody } from "../openapi/expected-body.ts";
import { toFoundCode } from "../openapi/found-code.ts";
import { splitAtHost } from "../openapi/written-document.ts";
import type { Anchors } from "./anchors.ts";
import { type CacheContent, isWhole, readCache, writeCache } from "./cache.ts";
import type { AuthenticateFunction, Route } from "./handlers/route.ts";
import { ScriptPositions } from "./handlers/script-positions.ts";
import type { AnalysisWorker, RunningProgram } from "./messages.ts";
import type { Project } from "./project.ts";
import { ResultKeeper } from "./result-keeper.ts";
import type { TypeEngineOptions } from "./types/query.ts";
import type { WantedValidator } from "./validators/find-validators.ts";

const require = createRequire(import.meta.url);
/** Increase it when older caches must not be used. 2: no secrets. 3: no bodies. 4: routes of diagnostics. 5: field names. 6: exactness. */
const cacheFormat = 6;
const versions = ["../../../../package.json", "typescript/package.json", "oxc-parser/package.json"].map(
  (path) => (require(path) as { version: string }).version,
);
const madeBy = [...versions, cacheFormat].join(" ");

/** After so long, documents without schemas are better than none. */
const patienceMs = 5000;

/** How long housekeeping waits after an edit. */
const housekeepingMs = 100;

/** How long the compiler is kept after it was last asked, for the next change. */
const keepEngineMs = 60_000;

/** An editor may write a file in several steps. */
const settleMs = 80;

const isText = (key: string) => key === "text" || key === "handlerText";

/**
 * Reads the source, in a thread of its own so that no request ever waits for it. Parser and compiler are loaded when
 * a file has to be read. After a start from the cache, that may never happen.
 */
export function createAnalysisService({
  data: { root, cacheFile, watches, environment },
  owner,
}: SingleContext<AnalysisWorker>): Served<AnalysisWorker["calls"]> {
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
        const { routes: located, scripts } = await owner.call("locate", keys);
        positions.add(scripts);
        return positions.place(located);
      },
      textOf: (file: string, start: number, end: number) => positions.textOf(file, start, end),
      readValidators: (validators: readonly WantedValidator[]) => owner.call("readValidators", validators),
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
      reportFound({ level: "exact", ...cached.data }, true);
      if (watches) await holdPlaces();
    } else await analyze(true);
  }

  /** The last result. It stays in this thread; the server requests documents made from it. */
  let findings: Findings = noFindings;

  function reportFound(found: Findings & { level: "syntax" | "exact" }, isFinal: boolean): void {
    findings = found;
    const { level, diagnostics, facts, schemas } = found;
    const lookup = (identity: string) => schemas[identity]?.schema;
    const outlines = Object.entries(facts).map(([key, { source, requestBody }]): [string, HandlerOutline] => [
      key,
      { source, ...expectedBody(requestBody, lookup) },
    ]);
    owner.post("found", [{ level, isFinal, diagnostics, outlines: Object.fromEntries(outlines) }]);
  }

  const writer = new DocumentWriter();

  /** After an edit, the program still runs the handlers of before. */
  const routesKey = () =>
    digestOf(JSON.stringify([routes, authenticate], (key, value) => (isText(key) ? undefined : value)));

  /** While only syntax is known, the documents of before an edit are better than those without schemas. */
  async function analyze(isFirst: boolean): Promise<void> {
    clearTimeout(engineTimer);
    keeper.drop();
    keep = undefined;
    const { project } = await open();
    environmentBefore = project.environment;
    const options = { authenticate, ...(isFirst && { patienceMs }) };
    for await (const { level, isFinal, data } of project.analyze(routes, options)) {
      reportFound({ level, ...data }, isFinal);
      if (level === "exact") keep = () => keeper.keep(() => project.content(madeBy, routesKey(), data));
    }
    // Requests for documents come first.
    if (!isFirst) await delay(housekeepingMs);
    storeResult();
    if (!watches) return project.closeEngine();
    engineTimer = setTimeout(() => void project.closeEngine().then(collectGarbage), keepEngineMs).unref();
    await holdPlaces();
  }

  /** Stores the last result, if it has not been stored. */
  function storeResult(): void {
    keep?.();
    keep = undefined;
  }

  let keep: (() => void) | undefined;

  /** Looks for changes first: a result of an older state is not stored. */
  const keeper = new ResultKeeper({
    write(content) {
      if (cacheFile !== undefined) writeCache(cacheFile, content);
    },
    retryLater(delayMs) {
      if (watches) setTimeout(() => void enqueue(readChanged), delayMs).unref();
    },
  });

  let engineTimer: NodeJS.Timeout | undefined;

  /** Remembers the code at the registration of each route, to find it again after an edit. */
  async function holdPlaces(): Promise<void> {
    const { project, anchors } = await open();
    anchors.hold(routes, (path) => project.fileAt(path));
    // The values from before the analysis count: they may have changed since.
    environmentBefore = new Map([...project.environment, ...environmentBefore]);
    // Files that were saved between reading and watching would otherwise never be noticed.
    if (watchFolders()) void enqueue(readChanged);
  }

  /** The files to look at, with their contents as they were read. */
  function watchedFiles(): ReadonlyMap<string, string> {
    const kept = Object.entries(cached?.files ?? {}).map(([path, { digest }]) => [path, digest] as const);
    const all = new Map([...kept, ...(opened?.project.contents ?? [])]);
    return new Map([...all].filter(([path]) => !isInPackage(path)));
  }

  const watchers = new FolderWatchers(() => {
    clearTimeout(changeTimer);
    changeTimer = setTimeout(() => void enqueue(readChanged), settleMs);
  });
  let changeTimer: NodeJS.Timeout | undefined;

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
  }

  let work: Promise<unknown> = Promise.resolve();

  /** One thing after the other. */
  function enqueue(task: () => Promise<void>): Promise<unknown> {
    work = work.then(task, task);
    return work;
  }

  function receiveProgram(program: RunningProgram): void {
    positions = new ScriptPositions(program.scripts, root);
    routes = positions.place(program.routes);
    ({ loaded } = program);
    authenticate = program.authenticate && positions.placeFunction(program.authenticate);
    void enqueue(start);
  }

  return {
    handlers: {
      analyze: receiveProgram,
      write: (order) => splitAtHost(writer.write({ ...order, findings })),
      list: () => toFoundCode(findings),
      async compile(endpoints) {
        const { compileChecks } = await import("../checks/compile.ts");
        const { isOwnFile } = await import("./handlers/collect.ts");
        // The compiled files as well: the sources may not be where the application runs.
        const running = loaded.filter((path) => !isOwnFile(path)).map((path) => [path, digestOfFile(path)]);
        const files = { ...Object.fromEntries(running), ...Object.fromEntries(watchedFiles()) };
        return { code: compileChecks(endpoints, findings), files };
      },
    },
    close,
  };
}
