import type { Parameter, RequestBody, Response } from "./openapi.ts";

/** The information from the comments above a handler. Fields without information are absent. */
export interface Directives {
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly isDeprecated?: true;
}

/** What the source of an endpoint's handler adds to its route. */
export interface OperationFacts extends Directives {
  /** The name of the handler in the source. */
  readonly name?: string | undefined;
  readonly parameters?: readonly Parameter[] | undefined;
  readonly requestBody?: RequestBody | undefined;
  /** By status. */
  readonly responses?: Readonly<Record<string, Response>> | undefined;
  /** Set if the handler itself reads the `Authorization` header. */
  readonly authorization?: AuthorizationFacts | undefined;
  /** Whether the responses list everything that the handler may send. */
  readonly isComplete?: boolean | undefined;
  /** The location of the handler: `src/todos.ts:12`. */
  readonly source?: string | undefined;
  /** The input that the handler validates itself, with a schema. */
  readonly validated?: ValidatedInput | undefined;
}

export interface ValidatedInput {
  readonly body: boolean;
  /** The places and names of parameters: `query page`. */
  readonly parameters: readonly string[];
}

export interface AuthorizationFacts {
  readonly scheme: "bearer" | "basic";
  /** Whether requests without it are rejected. */
  readonly isRequired: boolean;
}

/** The credential that the application's `authenticate` function reads from a request. */
export type CredentialFacts = Readonly<Pick<Parameter, "in" | "name">> & {
  readonly scheme?: "bearer" | "basic";
};

/** Something that the analysis could not resolve. It does not stop the analysis. */
export interface Diagnostic {
  readonly code: string;
  /** The reason and how to fix it. The message does not name the routes, so that many routes can share it. */
  readonly message: string;
  /** The routes that it concerns: `GET /api/v1/todos`. Omitted if it concerns the whole application. */
  readonly routes?: readonly string[] | undefined;
  /** Whether it prevented the handlers of these routes from being read. */
  readonly isUnread?: boolean | undefined;
  /** Whether it prevents requests to these routes from being checked. Set only for routes with `checked()`. */
  readonly preventsCheck?: boolean | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** A schema with its preferred name. Each document assigns the final names. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Where the type is declared. */
  readonly file: string;
  readonly line: number;
  /** The same, as shown to users: `src/todos.ts:12`. */
  readonly source?: string | undefined;
}

/**
 * How much of the analysis the documents contain: nothing yet, the results of the syntax analysis (parameters,
 * statuses), or the exact types as well.
 */
export type AnalysisLevel = "none" | "syntax" | "exact";

/** All findings of the source analysis, for all versions. */
export interface Findings {
  readonly level: AnalysisLevel;
  /** By endpoint key. */
  readonly facts: Readonly<Record<string, OperationFacts>>;
  /** The schemas that the facts refer to, by identity. In facts and schemas, `$ref` is such an identity. */
  readonly schemas: Readonly<Record<string, NamedSchema>>;
  /** What `app.authenticate` reads. "unknown" if it reads several credentials or cannot be resolved. */
  readonly credential?: CredentialFacts | "unknown" | undefined;
  /** The findings for each handler, for the debug record. */
  readonly handlers: Readonly<Record<string, object>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The findings without any analysis. */
export const noFindings: Findings = { level: "none", facts: {}, schemas: {}, handlers: {}, diagnostics: [] };
