import type { Endpoint } from "../registry/endpoint.ts";
import type { APIRegistry } from "../registry/registry.ts";
import type { Parameter, RequestBody, Response, Schema } from "./types.ts";

/** What is known of an endpoint's handler beyond its route, from its source. */
export interface OperationFacts {
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly parameters?: readonly Parameter[] | undefined;
  readonly requestBody?: RequestBody | undefined;
  /** By status. */
  readonly responses?: Readonly<Record<string, Response>> | undefined;
}

/** Something that the analysis could not resolve. It stops nothing. */
export interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** What the analysis of the source has found, for all versions. */
export interface Analysis {
  factsOf(endpoint: Endpoint): OperationFacts | undefined;
  /** The schemas that the facts refer to, by name. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** The definitions that were read, and the handlers, for people who want to see them. */
  readonly structs: Readonly<Record<string, object>>;
  readonly handlers: Readonly<Record<string, object>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the handlers' source. Only development has one: production reads documents that were made before. */
export interface Analyzer {
  analyze(registries: readonly APIRegistry[]): Promise<Analysis>;
}

/** What is known without any analysis. */
export const noAnalysis: Analysis = {
  factsOf: () => undefined,
  schemas: {},
  structs: {},
  handlers: {},
  diagnostics: [],
};
