/** The subset of OpenAPI 3.0.3 that Annex writes. A reader may know more about the schemas than `Schema` says. */
export interface OpenAPIDocument<S = Schema> {
  /** Version of the OpenAPI specification. */
  openapi: "3.0.3";
  /** Title, version and description of the API. */
  info: Info;
  /** Base URLs of the API. */
  servers: Server[];
  /** Groups of operations. */
  tags?: { name: string; description?: string }[];
  /** Operations by path and method. */
  paths: Record<string, PathItem<S>>;
  /** Schemas and security schemes that the operations refer to. */
  components?: Components<S>;
  /** Link to more documentation. */
  externalDocs?: { url: string; description?: string };
  /** How much of the source was read, and the number of unresolved points. */
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

export interface Components<S = Schema> {
  schemas?: Record<string, S>;
  responses?: Record<string, Response<S>>;
  securitySchemes?: Readonly<Record<string, SecurityScheme>>;
}

export interface PathItem<S = Schema> {
  servers?: Server[];
  get?: Operation<S>;
  post?: Operation<S>;
  put?: Operation<S>;
  patch?: Operation<S>;
  delete?: Operation<S>;
}

export type OperationMethod = "get" | "post" | "put" | "patch" | "delete";

export interface Operation<S = Schema> {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter<S>[];
  requestBody?: RequestBody<S>;
  responses: Record<string, Response<S> | Reference>;
  security?: Record<string, string[]>[];
  deprecated?: boolean;
  "x-sunset"?: string;
  /** The location of the handler in the source. */
  "x-source"?: string;
}

export interface Parameter<S = Schema> {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required?: boolean;
  description?: string;
  schema: S;
  /** The location in the source where it is read. */
  "x-source"?: string;
}

export interface RequestBody<S = Schema> {
  description?: string;
  required?: boolean;
  content: Record<string, { schema: S }>;
}

export interface Response<S = Schema> {
  description: string;
  headers?: Record<string, { description?: string; schema: S }>;
  content?: Record<string, { schema: S }>;
}

export interface Reference {
  $ref: string;
}

/** A JSON schema in the dialect of OpenAPI 3.0. */
export type Schema = Reference | { [keyword: string]: unknown };

/** How clients authenticate, in OpenAPI's format. */
export type SecurityScheme = { readonly description?: string } & (
  | { readonly type: "http"; readonly scheme: string; readonly bearerFormat?: string }
  | { readonly type: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly name: string }
  | { readonly type: "oauth2"; readonly flows: Readonly<Record<string, unknown>> }
  | { readonly type: "openIdConnect"; readonly openIdConnectUrl: string }
);
