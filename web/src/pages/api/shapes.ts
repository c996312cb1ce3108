/** Responses of the routes of the API page. */

export interface ApiOverview {
  readonly default_version: string;
  readonly versions: readonly ApiVersion[];
  readonly diagnostics: readonly OpenPoint[];
  readonly analysis: {
    readonly state: "reading" | "ready" | "from disk" | "none";
    readonly level: string;
    readonly operations: number;
    readonly operations_read: number;
    readonly diagnostics: number;
  };
}

export interface ApiVersion {
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly status: string;
  readonly sunset?: string;
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
  readonly auth: "none" | "any" | "superuser";
  readonly documented: boolean;
}

/** Something that the analysis could not resolve. */
export interface OpenPoint {
  /** Because of it, the handlers of its routes were not analysed. */
  readonly unread: boolean;
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly version?: string;
  readonly handler?: string;
  readonly routes: readonly string[];
}

/** The parts of an OpenAPI 3.0 document that the page shows. */
export interface OpenApi {
  readonly info: { readonly version: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Response>>;
  };
}

export type PathItem = { readonly servers?: unknown } & Readonly<Record<string, unknown>>;

export interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses?: Readonly<Record<string, Response>>;
  readonly "x-source"?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly "x-source"?: string;
}

export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface RequestBody {
  readonly description?: string;
  readonly required?: boolean;
  readonly content: Content;
}

export interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string; readonly schema?: Schema }>>;
  readonly content?: Content;
}

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
  readonly from_route?: string;
  readonly to_route?: string;
}

export interface SchemaDiff extends Difference {
  readonly name: string;
}
