import type { Endpoint } from "../registry/endpoint.ts";
import type { APIRegistry } from "../registry/registry.ts";
import type { AnalysisLevel, Diagnostic } from "./facts.ts";
import type { FoundCode } from "./found-code.ts";
import type { DocumentOrder, WrittenDocument } from "./written-document.ts";

/** What the server itself needs to know of a handler that was read. */
export interface HandlerOutline {
  /** Where it is: `src/todos.ts:12`. */
  readonly source?: string | undefined;
  /** Whether its body is an object, so that no other can be meant for it. */
  readonly takesObject: boolean;
}

/** The documents are written where the findings are, which is another thread. */
export interface EndpointsOrder extends Omit<DocumentOrder, "endpoints"> {
  readonly endpoints: readonly Endpoint[];
}

/** What the analysis of the source has found so far, as far as the server has it at hand. */
export interface Analysis {
  readonly level: AnalysisLevel;
  readonly diagnostics: readonly Diagnostic[];
  /** `undefined` when the handler was not read. */
  outlineOf(endpoint: Endpoint): HandlerOutline | undefined;
  /** A document with all that was found. Rejected when the analysis has ended or takes too long. */
  write(order: EndpointsOrder): Promise<WrittenDocument>;
  /** The types and handlers that were found. Rejected as `write` is. */
  listCode(): Promise<FoundCode>;
}

/** Reads the handlers' source. Only development has one: production reads documents that were made before. */
export interface Analyzer {
  /** Tells what it has found, each time that it knows more. Resolves when it knows all it can. */
  analyze(registries: readonly APIRegistry[], onFound: (analysis: Analysis) => void): Promise<void>;
  close(): Promise<void>;
}
