import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { collectGarbage } from "../../../lib/node/collect-garbage.ts";
import { isInPackage } from "../../../lib/paths/paths.ts";
import { digestOf, digestOfFile } from "../../../lib/source/digest.ts";
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
import type { Program, Project } from "./project.ts";
import { ResultKeeper } from "./result-keeper.ts";
import { SourceWatch } from "./source-watch.ts";
import type { TypeEngineOptions } from "./types/query.ts";

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

const isText = (key: string) => key === "text" || key === "handlerText";

/** What reads the source. It is loaded when something has to be read. */
interface Reader {
  readonly project: Project;
  readonly anchors: Anchors;
}

/**
 * Reads the source, in a thread of its own so that no request ever waits for it. Parser and compiler are loaded when
 * a file has to be read. After a start from the cache, that may never happen.
 */
export function createAnalysisService(
  context: SingleContext<AnalysisWorker>,
): Served<AnalysisWorker["calls"]> {
  const service = new AnalysisService(context);
  const writer = new DocumentWriter();
  return {
    handlers: {
      analyze: (program) => service.analyze(program),
      write: (order) => splitAtHost(writer.write({ ...order, findings: service.findings })),
      list: () => toFoundCode(service.findings),
      async compile(endpoints) {
        const { compileChecks } = await import("../checks/compile.ts");
        const files = await service.listFiles();
        return { code: compileChecks(endpoints, service.findings), files };
      },
    },
    close: () => service.close(),
  };
}

/** Keeps the findings about the program up to date: from the cache, from the source, and again after each edit. */
class AnalysisService {
  /** The last result. It stays in this thread; the server requests documents made from it. */
  findings: Findings = noFindings;
  private readonly context: SingleContext<AnalysisWorker>;
  private routes: readonly Route[] = [];
  private loaded: readonly string[] = [];
  private authenticate: AuthenticateFunction | undefined;
  private positions: ScriptPositions;
  private cached: CacheContent | undefined;
  private opened: Reader | undefined;
  private keep: (() => void) | undefined;
  private readonly keeper: ResultKeeper;
  private readonly watch: SourceWatch;
  private engineTimer: NodeJS.Timeout | undefined;
  private work: Promise<unknown> = Promise.resolve();

  constructor(context: SingleContext<AnalysisWorker>) {
    const { root, cacheFile, watches } = context.data;
    this.context = context;
    this.positions = new ScriptPositions({}, root);
    this.watch = new SourceWatch({
      files: () => this.watchedFiles(),
      onSaved: () => this.readAgain(),
    });
    // Looks for changes first: a result of an older state is not stored.
    this.keeper = new ResultKeeper({
      write(content) {
        if (cacheFile !== undefined) writeCache(cacheFile, content);
      },
      retryLater: (delayMs) => {
        if (watches) setTimeout(() => this.readAgain(), delayMs).unref();
      },
    });
  }

  analyze(program: RunningProgram): void {
    this.positions = new ScriptPositions(program.scripts, this.context.data.root);
    this.routes = this.positions.place(program.routes);
    this.loaded = program.loaded;
    this.authenticate = program.authenticate && this.positions.placeFunction(program.authenticate);
    void this.enqueue(() => this.start());
  }

  /** The files that decide about the findings, with digests of their contents. */
  async listFiles(): Promise<Record<string, string>> {
    const { isOwnFile } = await import("./handlers/collect.ts");
    // The compiled files as well: the sources may not be where the application runs.
    const running = this.loaded.filter((path) => !isOwnFile(path)).map((path) => [path, digestOfFile(path)]);
    return { ...Object.fromEntries(running), ...Object.fromEntries(this.watchedFiles()) };
  }

  async close(): Promise<void> {
    this.watch.close();
    this.storeResult();
    // A thread that ends takes those that it has started with it.
    await this.opened?.project.close();
  }

  private async start(): Promise<void> {
    const { cacheFile, watches } = this.context.data;
    this.cached = cacheFile === undefined ? undefined : readCache(cacheFile, madeBy);
    if (this.cached && isWhole(this.cached, this.routesKey())) {
      this.reportFound({ level: "exact", ...this.cached.data }, true);
      if (watches) await this.holdPlaces();
    } else await this.read(true);
  }

  /** Called when nothing has been read yet, or files have been saved since. */
  private async open(): Promise<Reader> {
    if (this.opened) return this.opened;
    const [{ Project }, { Anchors }] = await Promise.all([import("./project.ts"), import("./anchors.ts")]);
    const { ThreadEngine } = await import("./types/thread-engine.ts");
    const { root, environment } = this.context.data;
    const openEngine = (options: TypeEngineOptions) => new ThreadEngine(options);
    const options = { root, loaded: this.loaded, openEngine, environment, remembered: this.cached };
    this.opened = { project: new Project(options, this.describeProgram()), anchors: new Anchors() };
    return this.opened;
  }

  private describeProgram(): Program {
    const { owner } = this.context;
    return {
      locate: async (keys) => {
        const { routes: located, scripts } = await owner.call("locate", keys);
        this.positions.add(scripts);
        return this.positions.place(located);
      },
      textOf: (file, start, end) => this.positions.textOf(file, start, end),
      readValidators: (validators) => owner.call("readValidators", validators),
    };
  }

  /** While only syntax is known, the documents of before an edit are better than those without schemas. */
  private async read(isFirst: boolean): Promise<void> {
    const { authenticate } = this;
    clearTimeout(this.engineTimer);
    this.keeper.drop();
    this.keep = undefined;
    const { project } = await this.open();
    this.watch.environment = project.environment;
    const options = { authenticate, ...(isFirst && { patienceMs }) };
    for await (const { level, isFinal, data } of project.analyze(this.routes, options)) {
      this.reportFound({ level, ...data }, isFinal);
      if (level === "exact")
        this.keep = () => this.keeper.keep(() => project.content(madeBy, this.routesKey(), data));
    }
    // Requests for documents come first.
    if (!isFirst) await delay(housekeepingMs);
    this.storeResult();
    if (!this.context.data.watches) return project.closeEngine();
    this.engineTimer = setTimeout(
      () => void project.closeEngine().then(collectGarbage),
      keepEngineMs,
    ).unref();
    await this.holdPlaces();
  }

  private reportFound(found: Findings & { level: "syntax" | "exact" }, isFinal: boolean): void {
    this.findings = found;
    const { level, diagnostics, facts, schemas } = found;
    const lookup = (identity: string) => schemas[identity]?.schema;
    const outlines = Object.entries(facts).map(([key, { source, requestBody }]): [string, HandlerOutline] => [
      key,
      { source, ...expectedBody(requestBody, lookup) },
    ]);
    this.context.owner.post("found", [
      { level, isFinal, diagnostics, outlines: Object.fromEntries(outlines) },
    ]);
  }

  /** Stores the last result, if it has not been stored. */
  private storeResult(): void {
    this.keep?.();
    this.keep = undefined;
  }

  /** Remembers the code at the registration of each route, to find it again after an edit. */
  private async holdPlaces(): Promise<void> {
    const { watch } = this;
    const { project, anchors } = await this.open();
    anchors.hold(this.routes, (path) => project.fileAt(path));
    // The values from before the analysis count: they may have changed since.
    watch.environment = new Map([...project.environment, ...watch.environment]);
    // Files that were saved between reading and watching would otherwise never be noticed.
    if (watch.follow()) this.readAgain();
  }

  private readAgain(): void {
    void this.enqueue(() => this.readChanged());
  }

  private async readChanged(): Promise<void> {
    this.watch.follow();
    const { files: changed, isOtherEnvironment } = this.watch.changes();
    if (changed.length === 0 && !isOtherEnvironment) return this.keeper.retry();
    const { project, anchors } = await this.open();
    if (isOtherEnvironment) project.forgetAll();
    project.forget(changed);
    this.cached = undefined;
    const moved = anchors.move(this.routes, (path) => project.fileAt(path));
    this.routes = moved.map((route, index) => route ?? this.routes[index]!);
    await this.read(false);
  }

  /** The files to look at, with their contents as they were read. */
  private watchedFiles(): ReadonlyMap<string, string> {
    const kept = Object.entries(this.cached?.files ?? {}).map(
      ([path, { digest }]) => [path, digest] as const,
    );
    const all = new Map([...kept, ...(this.opened?.project.contents ?? [])]);
    return new Map([...all].filter(([path]) => !isInPackage(path)));
  }

  /** After an edit, the program still runs the handlers of before. */
  private routesKey(): string {
    const { routes, authenticate } = this;
    return digestOf(
      JSON.stringify([routes, authenticate], (key, value) => (isText(key) ? undefined : value)),
    );
  }

  /** One thing after the other. */
  private enqueue(task: () => Promise<void>): Promise<unknown> {
    this.work = this.work.then(task, task);
    return this.work;
  }
}
