import { redactSchema } from "../facts/redact-schema.ts";
import type { IsSecret, RawSchema, TypeFact } from "../types/query.ts";

/** The input schema of a validator, in the format of a type query's result. */
export function createValidatorFact(schema: RawSchema, isSecret: IsSecret): TypeFact {
  return { schema: redactSchema(schema, isSecret), components: [], problems: [] };
}
