import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInPackage, nativePath } from "../../../lib/paths/paths.ts";
import { createPace } from "../../../lib/time/pace.ts";
import { startWorker, type WorkerClient } from "../../../lib/worker/start-worker.ts";
import { moduleBeside } from "../../../lib/worker/threads.ts";
import type { Analysis, Analyzer, CompiledChecks, EndpointsOrder } from "../openapi/analysis.ts";
import type { FoundCode } from "../openapi/found-code.ts";
import type { WrittenDocument } from "../openapi/written-document.ts";
import { authOf, type Endpoint, type ServingFunction, toEndpointData } from "../registry/endpoint.ts";
import type { APIRegistry } from "../registry/registry.ts";
import { collectRoutes, collectScripts, describeFunction, locateHandlers } from "./handlers/collect.ts";
import { inspectTogether, listLoadedFiles } from "./handlers/inspect.ts";
import type { AuthenticateFunction } from "./handlers/route.ts";
import type {
  AnalysisWorker,
  FoundReport,
  LocatedRoutes,
  RunningProgram,
  ValidatorSchema,
} from "./messages.ts";
import { threadLimits } from "./thread-limits.ts";
import type { WantedValidator } from "./validators/find-validators.ts";
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
  private worker: WorkerClient<AnalysisWorker["calls"]> | undefined;
  private onFound: (analysis: Analysis) => void = () => {};
  private finish: () => void = () => {};
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
    // The thread does not keep the process running, but a command that waits for the result must not end.
    const awake = setInterval(() => {}, 60_000);
    const finished = new Promise<void>((resolve) => {
      this.finish = () => {
        clearInterval(awake);
        resolve();
      };
    });
    try {
      this.worker = this.startThread(endpoints);
      this.worker.post("analyze", [inspectTogether(() => this.describeProgram(endpoints))]);
    } catch (error) {
      this.giveUp(error instanceof Error ? error.message : String(error));
    }
    return finished;
  }

  async close(): Promise<void> {
    await this.worker?.close();
    this.finish();
  }

  private toAnalysis({ level, diagnostics, outlines }: Found): Analysis {
    return {
      level,
      diagnostics,
      outlineOf: (endpoint) => outlines[this.keys.get(endpoint) ?? ""],
      write: (order) => this.write(order),
      compile: (endpoints) => this.compile(endpoints),
      listCode: () => this.listCode(),
    };
  }

  private async write({ endpoints, ...rest }: EndpointsOrder): Promise<WrittenDocument> {
    const described = endpoints.map((endpoint) => toEndpointData(endpoint, this.keys.get(endpoint)));
    return this.running.call("write", { ...rest, endpoints: described });
  }

  private async compile(endpoints: readonly Endpoint[]): Promise<CompiledChecks> {
    const described = endpoints.map((endpoint) => toEndpointData(endpoint, this.keys.get(endpoint)));
    return this.running.call("compile", described);
  }

  private async listCode(): Promise<FoundCode> {
    return this.running.call("list");
  }

  private get running(): WorkerClient<AnalysisWorker["calls"]> {
    if (!this.worker) throw new Error("The analysis has not started.");
    return this.worker;
  }

  private describeProgram(endpoints: ReadonlyMap<string, Endpoint>): RunningProgram {
    const routes = collectRoutes(endpoints);
    const loaded = [...listLoadedFiles().keys()].filter((path) => !isInPackage(path));
    const authenticate = this.describeAuthenticate(endpoints);
    const scripts = collectScripts(routes, authenticate?.at);
    return { routes, scripts, loaded, authenticate };
  }

  private describeAuthenticate(endpoints: ReadonlyMap<string, Endpoint>): AuthenticateFunction | undefined {
    const { authenticate } = this.options;
    if (!authenticate) return undefined;
    const isOpen = (endpoint: Endpoint) =>
      authOf(endpoint.notes()) === "any" && endpoint.notes().every(({ scheme }) => scheme === undefined);
    const neededBy = [...endpoints.values()].filter(isOpen).map(({ method, path }) => `${method} ${path}`);
    return { ...describeFunction(authenticate), neededBy };
  }

  private startThread(endpoints: ReadonlyMap<string, Endpoint>): WorkerClient<AnalysisWorker["calls"]> {
    const root = findRoot([...endpoints.values()]);
    const { watches = false, caches = true, environment = [] } = this.options;
    const cacheFile = caches ? cacheFileOf(root) : undefined;
    return startWorker<AnalysisWorker>({
      entry: moduleBeside(import.meta.url, "thread"),
      name: "annex-analysis",
      data: { root, cacheFile, watches, environment },
      handlers: {
        locate: (keys) => locateRoutes(keys, endpoints),
        readValidators: (validators) => readValidators(validators, endpoints),
        found: (report) => this.receive(report),
      },
      resourceLimits: threadLimits,
      // It is not restarted, because the same source would end it again, and a developer would wait for nothing. It is
      // not supervised either, because large files block it for long.
      deadlines: { callMs: patienceMs, closeMs },
      onStatus: ({ problem }) => problem !== undefined && this.giveUp(problem),
    });
  }

  private receive(report: FoundReport): void {
    this.last = this.toAnalysis(report);
    this.onFound(this.last);
    if (report.isFinal) this.finish();
  }

  /**
   * If the thread or its packages are missing, the documents contain the previous findings: at first, the routes alone.
   */
  private giveUp(reason: string): void {
    const message = `Failed to read the source, so the documents contain only what was known before: ${reason}`;
    const diagnostics = [...this.last.diagnostics, { code: "ANALYSIS_FAILED", message }];
    this.onFound({ ...this.last, diagnostics });
    this.finish();
  }
}

function locateRoutes(keys: readonly string[], endpoints: ReadonlyMap<string, Endpoint>): LocatedRoutes {
  const hidden = new Map(keys.map((key) => [key, endpoints.get(key)!]));
  return inspectTogether(() => {
    const routes = locateHandlers(collectRoutes(hidden), hidden);
    return { routes, scripts: collectScripts(routes) };
  });
}

async function readValidators(
  wanted: readonly WantedValidator[],
  endpoints: ReadonlyMap<string, Endpoint>,
): Promise<ValidatorSchema[]> {
  const readModule = createModuleReader();
  const pace = createPace();
  const schemas: ValidatorSchema[] = [];
  for (const { reference, route } of wanted) {
    schemas.push(await readValidator(reference, endpoints.get(route)!.handler, readModule));
    await pace();
  }
  return schemas;
}

type Found = Pick<FoundReport, "diagnostics" | "outlines"> & Pick<Analysis, "level">;

/** A thread that waits for the compiler receives no messages. */
const closeMs = 500;
/** How long a document may take. The thread may be busy with the compiler. */
const patienceMs = 15_000;

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
  const start = source ? dirname(source.file) : nativePath(process.cwd());
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
