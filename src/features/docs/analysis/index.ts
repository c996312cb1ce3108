import type { Analyzer } from "../openapi/analysis.ts";
import type { SourceAnalyzerOptions } from "./source-analyzer.ts";

/**
 * Source → facts. The analysis finds the handlers of routes in the source and follows what they read, send and throw.
 * The types of bodies and responses come from the compiler. The analysis is loaded here on demand, and never in
 * production.
 */
export async function createSourceAnalyzer(options: SourceAnalyzerOptions = {}): Promise<Analyzer> {
  const { SourceAnalyzer } = await import("./source-analyzer.ts");
  return new SourceAnalyzer(options);
}
