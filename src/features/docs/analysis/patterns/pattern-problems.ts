import { isExponential } from "./backtracking.ts";

export interface PatternProblem {
  readonly code: "PATTERN_EXPONENTIAL";
  readonly message: string;
}

/** Describes the patterns of a schema that can take exponential time, each once. */
export function findPatternProblems(schema: unknown): PatternProblem[] {
  const patterns = new Set(patternsIn(schema));
  return [...patterns].filter(isExponential).map(describe);
}

function describe(pattern: string): PatternProblem {
  const message = `The pattern \`${pattern}\` can take exponential time, so a request of 30 characters could block the server. Rewrite it so that only one repetition can match a text: \`(a+)+\` as \`a+\`.`;
  return { code: "PATTERN_EXPONENTIAL", message };
}

function patternsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(patternsIn);
  return Object.entries(value).flatMap(([keyword, inner]) => {
    if (keyword === "pattern" && typeof inner === "string") return isPattern(inner) ? [inner] : [];
    // Its keys are names of fields, not keywords.
    if (keyword === "properties") return Object.values(Object(inner)).flatMap(patternsIn);
    return valueKeywords.has(keyword) ? [] : patternsIn(inner);
  });
}

/** Keywords whose values are data, not schemas. */
const valueKeywords = new Set(["default", "enum", "example"]);

/** Patterns that are not valid with the flag `u` are neither examined nor checked. */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
