import { defineError, type FieldProblem } from "./errors.ts";

export const INVALID_FIELDS = defineError("INVALID_FIELDS", 400, "%s");

/** Throws one error that names every field with a problem; does nothing when none has. */
export function refuseInvalid(problems: Record<string, FieldProblem | undefined>): void {
  const found = Object.entries(problems).filter(([, problem]) => problem !== undefined);
  if (found.length === 0) return;
  const sentences = found.map(([, problem]) => problem!.message);
  throw INVALID_FIELDS.with({ data: Object.fromEntries(found) }, sentences.join(" "));
}
