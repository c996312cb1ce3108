import type { Analyzer } from "../openapi/analysis.ts";
import type { SourceAnalyzerOptions } from "./source-analyzer.ts";

/**
 * Source → facts. The analysis finds the handlers of routes in the source and follows what they read, answer and throw;
 * the types of bodies and answers come from the compiler. It is loaded here, when somebody wants it, and never in
 * production.
 */
export async function createSourceAnalyzer(options: SourceAnalyzerOptions = {}): Promise<Analyzer> {
  const { SourceAnalyzer } = await import("./source-analyzer.ts");
  return new SourceAnalyzer(options);
}
