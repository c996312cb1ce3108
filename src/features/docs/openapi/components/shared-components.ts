import type { Reference, Response, Schema, SecurityScheme } from "../../model/openapi.ts";

/** All errors have the same format. */
export const errorSchemaName = "Error";

export const errorSchema: Schema = {
  type: "object",
  description: "The format of all errors.",
  required: ["status", "message", "data", "trace_id"],
  properties: {
    status: { type: "integer", description: "The HTTP status code." },
    message: { type: "string", description: "A human-readable description of the error." },
    data: {
      type: "object",
      description:
        "For invalid fields, a code and a message by field name. Otherwise data from the application.",
      additionalProperties: true,
    },
    trace_id: {
      type: "string",
      description: "The trace ID of the request. Use it to find the request in the server's log.",
    },
  },
};

const content = { "application/json": { schema: { $ref: `#/components/schemas/${errorSchemaName}` } } };

const names: Record<string, { name: string; description: string }> = {
  "401": { name: "Unauthorized", description: "The token is missing or invalid." },
  "403": {
    name: "Forbidden",
    description: "The token is valid but does not grant access to this operation.",
  },
  default: { name: "Error", description: "An error." },
};

/** The error responses that operations share. */
export const errorResponses = {
  schema: { $ref: `#/components/schemas/${errorSchemaName}` } as Schema,
  reference: (status: string): Reference => ({ $ref: `#/components/responses/${names[status]!.name}` }),
  /** Only errors have the error body. */
  create: (status: string, description: string): Response =>
    status >= "4" ? { description, content } : { description },
  components: (): Record<string, Response> =>
    Object.fromEntries(Object.values(names).map(({ name, description }) => [name, { description, content }])),
};

export const basicAuth: SecurityScheme = { type: "http", scheme: "basic" };

export const bearerAuth: SecurityScheme = {
  type: "http",
  scheme: "bearer",
  description: "The token of a superuser, or a token that the application accepts.",
};
