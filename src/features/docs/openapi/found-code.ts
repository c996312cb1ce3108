import { defined } from "../../../lib/defined.ts";
import type { Findings, OperationFacts } from "../model/facts.ts";
import type { Operation, Reference, Response, Schema } from "../model/openapi.ts";
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

/** What a handler's source or its documented operation says. */
type DescribedHandler = Pick<OperationFacts, "description" | "tags" | "parameters" | "requestBody"> & {
  readonly responses?: Operation["responses"] | undefined;
  readonly source?: string | undefined;
};

/** A handler in the debug record. */
export type HandlerRecord = ReturnType<typeof toHandlerRecord>;

export function toHandlerRecord(name: string | undefined, handler: DescribedHandler) {
  const { description = "", tags = [], requestBody, responses = {}, parameters = [], source } = handler;
  const success = Object.entries(responses).find(([status]) => status < "4")?.[1];
  return {
    name: name ?? "",
    description,
    tags,
    request_schema: firstSchema(requestBody),
    response_schema: firstSchema(success),
    parameters: parameters.map(({ name: parameter, in: place, required = false, schema }) => ({
      name: parameter,
      source: place,
      required,
      schema,
    })),
    responses,
    source,
  };
}

function firstSchema(body: { content?: Response["content"] } | Reference | undefined): Schema | null {
  const content = body && "content" in body ? body.content : undefined;
  return Object.values(content ?? {})[0]?.schema ?? null;
}

/** A type: its fields and the resulting schema. */
export function toStruct(name: string, schema: Schema) {
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
