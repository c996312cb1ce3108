import type { AnalysisLevel, Diagnostic } from "../model/facts.ts";
import type { Endpoint, ExpectedBody } from "../registry/endpoint.ts";
import type { APIRegistry } from "../registry/registry.ts";
import type { FoundCode } from "./found-code.ts";
import type { DocumentOrder, WrittenDocument } from "./written-document.ts";

/** The part of a handler's analysis that the server itself needs. */
export interface HandlerOutline extends ExpectedBody {
  /** The location of the handler: `src/todos.ts:12`. */
  readonly source?: string | undefined;
}

/** The validators of routes, as code, and the files that they were made from. */
export interface CompiledChecks {
  readonly code: string;
  /** Digests by absolute path. */
  readonly files: Readonly<Record<string, string>>;
}

/** The analysis thread writes the documents, because it has the findings. */
export interface EndpointsOrder extends Omit<DocumentOrder, "endpoints"> {
  readonly endpoints: readonly Endpoint[];
}

/** The current findings of the analysis, as far as the server thread has them. */
export interface Analysis {
  readonly level: AnalysisLevel;
  readonly diagnostics: readonly Diagnostic[];
  /** `undefined` if the handler was not read. */
  outlineOf(endpoint: Endpoint): HandlerOutline | undefined;
  /** Writes a document with all findings. Rejects if the analysis has ended or takes too long. */
  write(order: EndpointsOrder): Promise<WrittenDocument>;
  /** Compiles the validators of these routes. Rejects under the same conditions as `write`. */
  compile(endpoints: readonly Endpoint[]): Promise<CompiledChecks>;
  /** The types and handlers found. Rejects under the same conditions as `write`. */
  listCode(): Promise<FoundCode>;
}

/** Reads the handlers' source. Used only in development: production reads documents generated earlier. */
export interface Analyzer {
  /** Reports its findings each time it knows more. Resolves when the analysis is complete. */
  analyze(registries: readonly APIRegistry[], onFound: (analysis: Analysis) => void): Promise<void>;
  close(): Promise<void>;
}
