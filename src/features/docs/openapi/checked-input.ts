import type { OperationFacts } from "../model/facts.ts";
import type { Parameter, RequestBody, Schema } from "../model/openapi.ts";
import { type EndpointData, isChecked } from "../registry/endpoint.ts";

/** The part of a request that is checked before the handler runs. */
export interface CheckedInput {
  /** Path values and query parameters for which not every value is allowed. */
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
}

/** The input that the check of a route looks at; `undefined` if there is none, or the route is not checked. */
export function findCheckedInput(
  { notes }: EndpointData,
  { validated, requestBody }: OperationFacts,
  all: readonly Parameter[],
): CheckedInput | undefined {
  if (!isChecked(notes)) return undefined;
  const parameters = all.filter(({ in: place, name, required, schema }) => {
    if ((place !== "path" && place !== "query") || validated?.parameters.includes(`${place} ${name}`))
      return false;
    return !isAnyText(schema) || (required && place === "query");
  });
  const isDecoded = Object.keys(requestBody?.content ?? {}).some(isParsed);
  const body = validated?.body || !isDecoded ? undefined : requestBody;
  return parameters.length > 0 || body ? { parameters, body } : undefined;
}

/** Whether `e.bindBody` parses bodies of this type. */
export function isParsed(type: string): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/form-data|application\/json|.*\+json)$/.test(type);
}

const annotations = new Set(["type", "default", "description", "example", "title", "deprecated", "nullable"]);

/** Whether every text is allowed. */
function isAnyText(schema: Schema): boolean {
  const { type = "string" } = schema as { type?: string };
  return type === "string" && Object.keys(schema).every((keyword) => annotations.has(keyword));
}
