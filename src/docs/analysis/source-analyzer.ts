import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Worker } from "node:worker_threads";
import { createPace } from "../../lib/pace.ts";
import { moduleBeside } from "../../lib/threads.ts";
import type { Analysis, Analyzer, EndpointsOrder } from "../openapi/analysis.ts";
import type { FoundCode } from "../openapi/found-code.ts";
import type { WrittenDocument } from "../openapi/written-document.ts";
import { authOf, type Endpoint, type ServingFunction, toEndpointData } from "../registry/endpoint.ts";
import type { APIRegistry } from "../registry/registry.ts";
import { startDeepThread } from "./deep-thread.ts";
import { collectRoutes, collectScripts, describeFunction, locateHandlers } from "./handlers/collect.ts";
import { inspectTogether, listLoadedFiles } from "./handlers/inspect.ts";
import type { AuthenticateFunction } from "./handlers/route.ts";
import type { FromThread, ThreadOptions, ToThread } from "./messages.ts";
import { ThreadQuestions } from "./thread-questions.ts";
import { createModuleReader } from "./validators/loaded-files.ts";
import { readValidator } from "./validators/read-validator.ts";

export interface SourceAnalyzerOptions {
  /** Whether files are read again when they are saved. Default false. */
  readonly watches?: boolean;
  /** Whether results are cached between starts. Default true. */
  readonly caches?: boolean;
  /** The values of the environment variables, which must not appear in documents. Default none. */
  readonly environment?: readonly string[];
  /** The application's `authenticate` function. Default none. */
  readonly authenticate?: ServingFunction | undefined;
}

/** Reads the source of handlers in a separate thread. The current findings are available at any time. */
export class SourceAnalyzer implements Analyzer {
  private readonly options: SourceAnalyzerOptions;
  private worker: Worker | undefined;
  private onFound: (analysis: Analysis) => void = () => {};
  private finish: () => void = () => {};
  private readonly questions = new ThreadQuestions((message) => this.worker?.postMessage(message));
  private keys: ReadonlyMap<Endpoint, string> = new Map();
  private last: Analysis = this.toAnalysis({ level: "none", diagnostics: [], outlines: {} });

  constructor(options: SourceAnalyzerOptions = {}) {
    this.options = options;
  }

  analyze(registries: readonly APIRegistry[], onFound: (analysis: Analysis) => void): Promise<void> {
    const endpoints = keyed(registries);
    if (endpoints.size === 0) return Promise.resolve();
    this.keys = new Map([...endpoints].map(([key, endpoint]) => [endpoint, key]));
    this.onFound = onFound;
    const finished = new Promise<void>((resolve) => {
      this.finish = resolve;
    });
    try {
      this.worker = this.startThread(endpoints);
      const worker = this.worker;
      const tell = (message: ToThread) => worker.postMessage(message);
      worker.on("message", (message: FromThread) => void this.receive(message, endpoints, tell));
      worker.on("error", (error) => this.giveUp(error as Error));
      worker.on("exit", () => this.end());
      tell(inspectTogether(() => this.describeProgram(endpoints)));
    } catch (error) {
      this.giveUp(error as Error);
    }
    return finished;
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    if (!worker) return;
    worker.removeAllListeners("error");
    worker.on("error", () => {});
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    worker.postMessage({ kind: "close" } satisfies ToThread);
    // A thread that waits for the compiler receives no messages, and one that waits forever cannot be terminated.
    const timer = setTimeout(() => void worker.terminate(), closeMs);
    const giveUp = new Promise<void>((resolve) => setTimeout(resolve, 3 * closeMs).unref());
    await Promise.race([ended, giveUp]);
    clearTimeout(timer);
    this.end();
  }

  private end(): void {
    this.questions.end();
    this.finish();
  }

  private toAnalysis({ level, diagnostics, outlines }: Found): Analysis {
    return {
      level,
      diagnostics,
      outlineOf: (endpoint) => outlines[this.keys.get(endpoint) ?? ""],
      write: (order) => this.write(order),
      listCode: () => this.questions.ask<FoundCode>({ kind: "list" }),
    };
  }

  private write({ endpoints, ...rest }: EndpointsOrder): Promise<WrittenDocument> {
    const described = endpoints.map((endpoint) => toEndpointData(endpoint, this.keys.get(endpoint)));
    return this.questions.ask<WrittenDocument>({ kind: "write", order: { ...rest, endpoints: described } });
  }

  private describeProgram(endpoints: ReadonlyMap<string, Endpoint>): ToThread {
    const routes = collectRoutes(endpoints);
    const loaded = [...listLoadedFiles().keys()].filter((path) => !path.includes("/node_modules/"));
    const authenticate = this.describeAuthenticate(endpoints);
    const scripts = collectScripts(routes, authenticate?.at);
    return { kind: "analyze", routes, scripts, loaded, authenticate };
  }

  private describeAuthenticate(endpoints: ReadonlyMap<string, Endpoint>): AuthenticateFunction | undefined {
    const { authenticate } = this.options;
    if (!authenticate) return undefined;
    const isOpen = (endpoint: Endpoint) =>
      authOf(endpoint.notes()) === "any" && endpoint.notes().every(({ scheme }) => scheme === undefined);
    const neededBy = [...endpoints.values()].filter(isOpen).map(({ method, path }) => `${method} ${path}`);
    return { ...describeFunction(authenticate), neededBy };
  }

  private startThread(endpoints: ReadonlyMap<string, Endpoint>): Worker {
    const root = findRoot([...endpoints.values()]);
    const { watches = false, caches = true, environment = [] } = this.options;
    const cacheFile = caches ? cacheFileOf(root) : undefined;
    const workerData: ThreadOptions = { root, cacheFile, watches, environment };
    return startDeepThread(moduleBeside(import.meta.url, "thread"), { workerData, name: "annex-analysis" });
  }

  private async receive(
    message: FromThread,
    endpoints: ReadonlyMap<string, Endpoint>,
    tell: (message: ToThread) => void,
  ): Promise<void> {
    if (message.kind === "hidden") {
      const hidden = new Map(message.keys.map((key) => [key, endpoints.get(key)!]));
      const located = inspectTogether(() => {
        const routes = locateHandlers(collectRoutes(hidden), hidden);
        return { routes, scripts: collectScripts(routes) };
      });
      tell({ kind: "located", ...located });
    } else if (message.kind === "wanted") {
      tell({ kind: "validators", schemas: await readValidators(message.validators, endpoints) });
    } else if (message.kind === "found") {
      this.last = this.toAnalysis(message);
      this.onFound(this.last);
      if (message.isFinal) this.finish();
    } else if (message.kind !== "closed") this.questions.receive(message);
  }

  /**
   * If the thread or its packages are missing, the documents contain the previous findings: at first, the routes alone.
   */
  private giveUp(error: Error): void {
    const message = `Failed to read the source, so the documents contain only what was known before: ${error.message}`;
    const diagnostics = [...this.last.diagnostics, { code: "ANALYSIS_FAILED", message }];
    this.onFound({ ...this.last, diagnostics });
    this.end();
  }
}

async function readValidators(
  wanted: Extract<FromThread, { kind: "wanted" }>["validators"],
  endpoints: ReadonlyMap<string, Endpoint>,
) {
  const readModule = createModuleReader();
  const pace = createPace();
  const schemas: Awaited<ReturnType<typeof readValidator>>[] = [];
  for (const { reference, route } of wanted) {
    schemas.push(await readValidator(reference, endpoints.get(route)!.handler, readModule));
    await pace();
  }
  return schemas;
}

type Found = Pick<Extract<FromThread, { kind: "found" }>, "diagnostics" | "outlines"> &
  Pick<Analysis, "level">;

const closeMs = 500;

function keyed(registries: readonly APIRegistry[]): Map<string, Endpoint> {
  const all = registries.flatMap((registry, index) =>
    registry
      .list()
      .map((endpoint): [string, Endpoint] => [`${index} ${endpoint.method} ${endpoint.path}`, endpoint]),
  );
  return new Map(all);
}

/** The folder of the package that contains the routes, or the working directory. */
function findRoot(endpoints: readonly Endpoint[]): string {
  const source = endpoints.find((endpoint) => endpoint.source)?.source;
  const start = source ? dirname(source.file) : process.cwd();
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

/** The usual place for tool caches. Nothing is cached without a node_modules folder. */
function cacheFileOf(root: string): string | undefined {
  const modules = join(root, "node_modules");
  return existsSync(modules) ? join(modules, ".cache", "annex", "analysis.json") : undefined;
}
