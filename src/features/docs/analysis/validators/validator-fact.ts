import { redactSchema } from "../facts/redact-schema.ts";
import { findPatternProblems } from "../patterns/index.ts";
import type { IsSecret, RawSchema, TypeFact } from "../types/query.ts";

/** The input schema of a validator, in the format of a type query's result. */
export function createValidatorFact(schema: RawSchema, isSecret: IsSecret): TypeFact {
  const shown = redactSchema(schema, isSecret);
  // A pattern that is not shown must not appear in a message either.
  return { schema: shown, components: [], problems: findPatternProblems(shown) };
}
