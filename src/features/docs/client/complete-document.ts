import type { OpenAPIDocument } from "../model/openapi.ts";

/** Whether the compiler has read the source. Without it, a client would accept and return anything. */
export function hasTypes({ "x-analysis": analysis }: OpenAPIDocument): boolean {
  return analysis === undefined || analysis.level === "exact";
}

export const missingTypes =
  "The document contains no types, because the source could not be read. Run annex doctor to see the reason.";
