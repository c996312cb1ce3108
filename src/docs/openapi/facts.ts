import type { Parameter, RequestBody, Response } from "./types.ts";

/** What is known of an endpoint's handler beyond its route, from its source. */
export interface OperationFacts {
  /** The name of the handler in the source. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly parameters?: readonly Parameter[] | undefined;
  readonly requestBody?: RequestBody | undefined;
  /** By status. */
  readonly responses?: Readonly<Record<string, Response>> | undefined;
  readonly isDeprecated?: boolean | undefined;
  /** It reads the `Authorization` header itself. */
  readonly authorization?: AuthorizationFacts | undefined;
  /** Everything that it may answer is among the responses. */
  readonly isComplete?: boolean | undefined;
  /** Where the handler is: `src/todos.ts:12`. */
  readonly source?: string | undefined;
}

export interface AuthorizationFacts {
  readonly scheme: "bearer" | "basic";
  /** A request without it is refused. */
  readonly isRequired: boolean;
}

/** By what a request shows who sent it: what the application's own function for that reads. */
export type CredentialFacts = Readonly<Pick<Parameter, "in" | "name">> & {
  readonly scheme?: "bearer" | "basic";
};

/** Something that the analysis could not resolve. It stops nothing. */
export interface Diagnostic {
  readonly code: string;
  /** The reason, and what to do about it. It does not name the routes, so that many can share it. */
  readonly message: string;
  /** The routes that it concerns: `GET /api/v1/todos`. None if it concerns the whole application. */
  readonly routes?: readonly string[] | undefined;
  /** Whether the handlers of these routes were not read because of it. */
  readonly isUnread?: boolean | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** A schema with a wish for its name. Names are settled for each document by itself. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Where the type is declared. */
  readonly file: string;
  readonly line: number;
  /** The same as people write it: `src/todos.ts:12`. */
  readonly source?: string | undefined;
}

/**
 * What the documents got of the analysis: nothing yet, what syntax tells (parameters, statuses), or the exact types as
 * well.
 */
export type AnalysisLevel = "none" | "syntax" | "exact";

/** Everything that the analysis of the source has found, for all versions. */
export interface Findings {
  readonly level: AnalysisLevel;
  /** By the key of the endpoint. */
  readonly facts: Readonly<Record<string, OperationFacts>>;
  /** The schemas that the facts refer to, by identity: in facts and in schemas, `$ref` is such an identity. */
  readonly schemas: Readonly<Record<string, NamedSchema>>;
  /** What `app.authenticate` reads; "unknown" if that is more than one thing, or cannot be seen. */
  readonly credential?: CredentialFacts | "unknown" | undefined;
  /** What was found of each handler, for people who want to see it. */
  readonly handlers: Readonly<Record<string, object>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is known without any analysis. */
export const noFindings: Findings = { level: "none", facts: {}, schemas: {}, handlers: {}, diagnostics: [] };
