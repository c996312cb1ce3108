import type { Reference, Response, Schema, SecurityScheme } from "./types.ts";

/** The one shape of every error. */
export const errorSchemaName = "Error";

export const errorSchema: Schema = {
  type: "object",
  description: "Every error has this shape.",
  required: ["status", "message", "data", "trace_id"],
  properties: {
    status: { type: "integer", description: "The HTTP status again." },
    message: { type: "string", description: "What went wrong, for people." },
    data: {
      type: "object",
      description:
        "For a bad field, its name with a code and a message; otherwise what the application gives.",
      additionalProperties: true,
    },
    trace_id: { type: "string", description: "Leads to the request's records in the server's log." },
  },
};

const content = { "application/json": { schema: { $ref: `#/components/schemas/${errorSchemaName}` } } };

const names: Record<string, { name: string; description: string }> = {
  "401": { name: "Unauthorized", description: "There is no valid token." },
  "403": { name: "Forbidden", description: "The token is valid, and its owner may not do this." },
  default: { name: "Error", description: "An error." },
};

/** The error answers that operations share. */
export const errorResponses = {
  schema: { $ref: `#/components/schemas/${errorSchemaName}` } as Schema,
  reference: (status: string): Reference => ({ $ref: `#/components/responses/${names[status]!.name}` }),
  /** What is no error has no error's body. */
  create: (status: string, description: string): Response =>
    status >= "4" ? { description, content } : { description },
  components: (): Record<string, Response> =>
    Object.fromEntries(Object.values(names).map(({ name, description }) => [name, { description, content }])),
};

export const basicAuth: SecurityScheme = { type: "http", scheme: "basic" };

export const bearerAuth: SecurityScheme = {
  type: "http",
  scheme: "bearer",
  description: "The token of a superuser, or of an identity that the application knows.",
};
