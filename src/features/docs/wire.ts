import type * as model from "./model/openapi.ts";

/** JSON of the documentation routes that the dashboard reads. */

export interface ApiOverview {
  readonly default_version: string;
  readonly versions: readonly ApiVersion[];
  /** Limited; `analysis.diagnostics` is the total number. */
  readonly diagnostics: readonly Diagnostic[];
  readonly analysis: AnalysisState;
}

export interface AnalysisState {
  readonly state: "reading" | "ready" | "from disk" | "none";
  readonly level: string;
  readonly operations: number;
  readonly operations_read: number;
  readonly diagnostics: number;
}

export interface ApiVersion {
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly status: string;
  readonly sunset?: string | undefined;
  readonly enabled: boolean;
  readonly public_swagger: boolean;
  readonly endpoints: number;
  readonly generated_from: "source" | "disk";
  readonly operations: readonly ApiOperation[];
}

export interface ApiOperation {
  readonly method: string;
  readonly path: string;
  /** The route name in the metrics. */
  readonly route: string;
  readonly operation_id: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly auth_required: boolean;
  readonly auth: "none" | "any" | "superuser";
  readonly documented: boolean;
}

/** Something that the analysis could not resolve. */
export interface Diagnostic {
  readonly code: string;
  readonly message: string;
  /** Because of it, the handlers of its routes were not analysed. */
  readonly unread: boolean;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly version?: string | undefined;
  readonly handler?: string | undefined;
  readonly routes: readonly string[];
}

/** The changes between two versions. */
export interface VersionDiff {
  readonly from: string;
  readonly to: string;
  readonly changes: number;
  readonly breaking: number;
  readonly operations: readonly OperationDiff[];
  readonly schemas: readonly SchemaDiff[];
}

export interface Difference {
  readonly change: "added" | "removed" | "changed";
  readonly breaking: boolean;
  readonly changes: readonly { readonly message: string; readonly breaking: boolean }[];
}

export interface OperationDiff extends Difference {
  readonly method: string;
  readonly path: string;
  readonly from_route?: string | undefined;
  readonly to_route?: string | undefined;
}

export interface SchemaDiff extends Difference {
  readonly name: string;
}

/** A document of OpenAPI 3.0, whose schemas have the keywords below. */
export type OpenApiDocument = model.OpenAPIDocument<Schema>;
export type PathItem = model.PathItem<Schema>;
export type Operation = model.Operation<Schema>;
export type Parameter = model.Parameter<Schema>;
export type RequestBody = model.RequestBody<Schema>;
export type Response = model.Response<Schema>;
export type Reference = model.Reference;
export type SecurityScheme = model.SecurityScheme;

/** A JSON schema in the dialect of OpenAPI 3.0. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly description?: string;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly deprecated?: boolean;
  readonly discriminator?: { readonly propertyName: string };
  readonly "x-source"?: string;
}

/** The responses of GET routes, by path. */
export interface DocsRoutes {
  "/_/_/data/api": ApiOverview;
  "/_/_/data/api/{version}": OpenApiDocument;
  "/_/_/data/api-diff": VersionDiff;
}
