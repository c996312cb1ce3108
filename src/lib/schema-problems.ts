import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { FieldProblem } from "./errors/errors.ts";

/** The first problem of each field. `whole` is the name of the value itself. */
export function problemsByField(
  issues: readonly StandardSchemaV1.Issue[],
  whole: string,
): Record<string, FieldProblem> {
  const problems: Record<string, FieldProblem> = Object.create(null);
  for (const { path = [], message } of issues) {
    const field = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".") || whole;
    problems[field] ??= { code: "invalid", message };
  }
  return problems;
}
