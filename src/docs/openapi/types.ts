/** The parts of OpenAPI 3.0.3 that we write. */
export interface OpenAPIDocument {
  openapi: "3.0.3";
  info: Info;
  servers: Server[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, PathItem>;
  components?: Components;
  externalDocs?: { url: string; description?: string };
  /** What the source was found to tell, and how many things it was not. */
  "x-analysis"?: { level: string; operations: number; read: number; diagnostics: number };
}

export interface Info {
  title: string;
  version: string;
  description?: string;
  termsOfService?: string;
  contact?: { name?: string; email?: string; url?: string };
  license?: { name: string; url?: string };
  "x-status"?: string;
  "x-sunset"?: string;
}

export interface Server {
  url: string;
  description?: string;
}

export interface Components {
  schemas?: Record<string, Schema>;
  responses?: Record<string, Response>;
  securitySchemes?: Readonly<Record<string, SecurityScheme>>;
}

export interface PathItem {
  servers?: Server[];
  get?: Operation;
  post?: Operation;
  put?: Operation;
  patch?: Operation;
  delete?: Operation;
}

export type OperationMethod = "get" | "post" | "put" | "patch" | "delete";

export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Response | Reference>;
  security?: Record<string, string[]>[];
  deprecated?: boolean;
  "x-sunset"?: string;
  /** Where in the source the handler is. */
  "x-source"?: string;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required?: boolean;
  description?: string;
  schema: Schema;
  /** Where in the source it is read. */
  "x-source"?: string;
}

export interface RequestBody {
  description?: string;
  required?: boolean;
  content: Record<string, { schema: Schema }>;
}

export interface Response {
  description: string;
  headers?: Record<string, { description?: string; schema: Schema }>;
  content?: Record<string, { schema: Schema }>;
}

export interface Reference {
  $ref: string;
}

/** A JSON schema as OpenAPI 3.0 has it. */
export type Schema = Reference | { [keyword: string]: unknown };

/** How a client proves who it is, as OpenAPI describes it. */
export type SecurityScheme = { readonly description?: string } & (
  | { readonly type: "http"; readonly scheme: string; readonly bearerFormat?: string }
  | { readonly type: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly name: string }
  | { readonly type: "oauth2"; readonly flows: Readonly<Record<string, unknown>> }
  | { readonly type: "openIdConnect"; readonly openIdConnectUrl: string }
);
