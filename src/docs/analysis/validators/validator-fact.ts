import type { IsSecret, RawSchema, TypeFact } from "../types/query.ts";
import { redactSchema } from "./redact-schema.ts";

/** What a validator says about its input, as the answer to a question about its type. */
export function createValidatorFact(schema: RawSchema, isSecret: IsSecret): TypeFact {
  return { schema: redactSchema(schema, isSecret), components: [], problems: [] };
}
