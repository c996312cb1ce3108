import type { WorkerContract } from "../../../lib/worker/contract.ts";
import type { Diagnostic } from "../model/facts.ts";
import type { CompiledChecks, HandlerOutline } from "../openapi/analysis.ts";
import type { FoundCode } from "../openapi/found-code.ts";
import type { DocumentOrder, WrittenDocument } from "../openapi/written-document.ts";
import type { EndpointData } from "../registry/endpoint.ts";
import type { AuthenticateFunction, LoadedScripts, Route } from "./handlers/route.ts";
import type { WantedValidator } from "./validators/find-validators.ts";

/** What the server and the analysis thread exchange. */
export interface AnalysisWorker extends WorkerContract {
  readonly data: AnalysisOptions;
  readonly calls: {
    /** Starts the analysis. Its results are reported with `found`. */
    analyze(program: RunningProgram): void;
    /** Writes a document based on the most recent findings. */
    write(order: DocumentOrder): WrittenDocument;
    list(): FoundCode;
    /** Compiles the validators of endpoints. */
    compile(endpoints: readonly EndpointData[]): CompiledChecks;
  };
  readonly ownerCalls: {
    /** Finds the handlers of routes whose source does not show them, as far as they are known. */
    locate(keys: readonly string[]): LocatedRoutes;
    /** Returns the schemas of validators, in the order of the request. */
    readValidators(validators: readonly WantedValidator[]): readonly ValidatorSchema[];
    found(found: FoundReport): void;
  };
}

export interface AnalysisOptions {
  /** The project's folder. */
  readonly root: string;
  /** Where results are stored between starts; `undefined` to disable the cache. */
  readonly cacheFile: string | undefined;
  /** Whether files are read again when they change. */
  readonly watches: boolean;
  /** The values of the environment variables. */
  readonly environment: readonly string[];
}

export interface LocatedRoutes {
  /** With locations of the running program. `scripts` is used to map them to the source. */
  readonly routes: readonly Route[];
  readonly scripts: LoadedScripts;
}

export interface RunningProgram extends LocatedRoutes {
  readonly authenticate: AuthenticateFunction | undefined;
  /** The files that the program has loaded, except those of packages. */
  readonly loaded: readonly string[];
}

export type ValidatorSchema = Record<string, unknown> | undefined;

export interface FoundReport {
  readonly level: "syntax" | "exact";
  readonly isFinal: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** By route key. */
  readonly outlines: Readonly<Record<string, HandlerOutline>>;
}
