import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import type { OpenAPIDocument } from "../../src/features/docs/model/openapi.ts";

/** A validator for JSON by the schemas of a document. What OpenAPI adds to JSON schema is not looked at. */
export function createJudge(document: OpenAPIDocument): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, discriminator: false, code: { optimize: false } });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  ajv.addSchema({ $id: "document", ...toJsonSchema(document) });
  return ajv;
}

export const componentSchema = (name: string) => ({ $ref: `document#/components/schemas/${name}` });

/** Only what schemas may refer to, with 3.0's exclusive bounds as JSON schema spells them. */
function toJsonSchema({ components = {} }: OpenAPIDocument): { components: object } {
  return { components: convert(components) as object };
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== "object" || value === null) return value;
  const { exclusiveMinimum, exclusiveMaximum, ...rest } = value as Record<string, unknown>;
  const converted = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, convert(inner)]));
  if (exclusiveMinimum === true)
    [converted.exclusiveMinimum, converted.minimum] = [converted.minimum, undefined];
  else if (exclusiveMinimum !== undefined) converted.exclusiveMinimum = exclusiveMinimum;
  if (exclusiveMaximum === true)
    [converted.exclusiveMaximum, converted.maximum] = [converted.maximum, undefined];
  else if (exclusiveMaximum !== undefined) converted.exclusiveMaximum = exclusiveMaximum;
  return JSON.parse(JSON.stringify(converted));
}
