import { isSensitiveParameter } from "../../../../lib/redaction/sensitive-names.ts";
import type { Diagnostic } from "../../model/facts.ts";
import type { Parameter, Schema } from "../../model/openapi.ts";
import type { Place } from "../source/source-file.ts";
import type { RawSchema } from "../types/query.ts";
import type { Lookup } from "../types/schema/union.ts";
import type { QueryFacts } from "./handler-facts.ts";
import { withoutValues } from "./redact-schema.ts";
import { querySchema, type TypeFacts } from "./type-facts.ts";

type Report = (problem: Omit<Diagnostic, "file" | "line">, place: Place) => void;

/** The fields of a validator that receives all query parameters. */
export function queryParameters(
  query: QueryFacts,
  types: TypeFacts,
  show: (place: Place) => string,
  report: Report,
  lookup: Lookup,
): Parameter[] {
  const { schema, facts } = querySchema(query, types);
  for (const { problems } of facts)
    for (const { code, message } of problems) report({ code, message }, query.place);
  const whole = (schema && "$ref" in schema ? lookup(schema.$ref as string) : schema) as
    | RawSchema
    | undefined;
  if (!whole?.properties) {
    const message =
      "All query parameters are passed on together, so their names are not in the document. Read them by name, or validate them with a schema.";
    if (types.isKnown) report({ code: "PARAMETER_NAME_UNKNOWN", message }, query.place);
    return [];
  }
  const required = (whole.required ?? []) as string[];
  return Object.entries(whole.properties as Record<string, RawSchema>).map(([name, property]) => {
    const isSecret = query.isSecret || isSensitiveParameter(name);
    return {
      name,
      in: "query",
      ...(required.includes(name) && { required: true }),
      schema: (isSecret ? withoutValues(property).schema : property) as Schema,
      "x-source": show(query.place),
    };
  });
}
