import { defineError, type FieldProblem } from "./errors.ts";

export const INVALID_FIELDS = defineError("INVALID_FIELDS", 400, "%s");

/** Throws an error that lists all invalid fields. Does nothing if all fields are valid. */
export function refuseInvalid(problems: Record<string, FieldProblem | undefined>): void {
  const found = Object.entries(problems).filter(([, problem]) => problem !== undefined);
  if (found.length === 0) return;
  const sentences = found.map(([, problem]) => problem!.message);
  throw INVALID_FIELDS.with({ data: Object.fromEntries(found) }, sentences.join(" "));
}
