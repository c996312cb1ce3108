import { defined } from "../../../lib/defined.ts";
import type { Findings } from "../model/facts.ts";
import type { Schema } from "../model/openapi.ts";
import { settleNames } from "./components/names.ts";

/** The types and handlers found by the analysis, as shown in the debug record. */
export interface FoundCode {
  readonly structs: Readonly<Record<string, object>>;
  readonly handlers: Readonly<Record<string, object>>;
}

export function toFoundCode({ schemas: found, handlers }: Findings): FoundCode {
  const identities = Object.keys(found).map(($ref) => ({ $ref }));
  const { root, schemas } = settleNames({ handlers, identities }, found, []);
  const structs = Object.entries(schemas).map(([name, schema]) => [name, toStruct(name, schema)]);
  return { structs: Object.fromEntries(structs), handlers: root.handlers };
}

/** A type: its fields and the resulting schema. */
function toStruct(name: string, schema: Schema) {
  const { "x-source": source, ...rest } = schema as Record<string, unknown>;
  const { properties = {}, required = [] } = rest as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const fields = Object.entries(properties).map(([field, inner]) => ({
    name: field,
    required: required.includes(field),
    schema: inner,
  }));
  return defined({ name, source, fields, json_schema: rest });
}
