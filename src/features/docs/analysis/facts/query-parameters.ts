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

export interface QueryContext {
  readonly types: TypeFacts;
  readonly show: (place: Place) => string;
  readonly report: Report;
  readonly lookup: Lookup;
  /** The names in the route. */
  readonly pathNames: readonly string[];
}

/** The fields of a validator that receives all query parameters or all path values. */
export function queryParameters(query: QueryFacts, context: QueryContext): Parameter[] {
  const { types, report, lookup, show } = context;
  const { schema, facts } = querySchema(query, types);
  for (const { problems } of facts)
    for (const { code, message } of problems) report({ code, message }, query.place);
  const whole = (schema && "$ref" in schema ? lookup(schema.$ref as string) : schema) as
    | RawSchema
    | undefined;
  if (!whole?.properties) {
    const message =
      "All query parameters are passed on together, so their names are not in the document. Read them by name, or validate them with a schema.";
    if (types.isKnown && query.in === "query")
      report({ code: "PARAMETER_NAME_UNKNOWN", message }, query.place);
    return [];
  }
  const required = new Set((whole.required ?? []) as string[]);
  return Object.entries(whole.properties as Record<string, RawSchema>)
    .filter(([name]) => query.in === "query" || isInRoute(name, required, query, context))
    .map(([name, property]) => ({
      name,
      in: query.in,
      ...(((query.isRequired && required.has(name)) || query.in === "path") && { required: true }),
      ...describe(query.isSecret || isSensitiveParameter(name) ? withoutValues(property).schema : property),
      "x-source": show(query.place),
    }));
}

/** Without a required path value, every request is refused. */
function isInRoute(
  name: string,
  required: ReadonlySet<string>,
  { place }: QueryFacts,
  { pathNames, report }: QueryContext,
): boolean {
  const isThere = pathNames.includes(name);
  if (!isThere && required.has(name)) {
    const message = `The route has no path value "${name}", but the schema requires it, so the client always receives 400. Add {${name}} to the path, or remove it from the schema.`;
    report({ code: "PATH_VALUE_UNKNOWN", message }, place);
  }
  return isThere;
}

/** The description of a field describes the parameter. */
function describe(property: RawSchema): Pick<Parameter, "description" | "schema"> {
  const { description, ...schema } = property as RawSchema & { description?: unknown };
  return typeof description === "string"
    ? { description, schema: schema as Schema }
    : { schema: property as Schema };
}
