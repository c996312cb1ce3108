/**
 * A question about a place in the source. Offsets are UTF-16, start inclusive, end exclusive, of the node as written
 * (without leading trivia).
 */
export interface TypeQuery {
  /** Absolute. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
  /**
   * - "expression": the type of the expression there, awaited: a `Promise<T>` is `T`.
   * - "data": the type of the expression there, as it is: a promise is a promise.
   * - "field": the same for a value that is put into an object or a list; a literal is its type.
   * - "type": the type that the type annotation there means.
   * - "input": the expression there is a Standard Schema validator; the type of its input.
   * - "responses": the expression or function there has a type or return type, awaited, whose union members are
   *   `SentResponse<Status, Body>`; all bodies by status.
   */
  readonly kind: "expression" | "data" | "field" | "type" | "input" | "responses";
  /** For "responses": only those of this status. */
  readonly status?: number | undefined;
  /** For "field": the key that it is put under. */
  readonly name?: string | undefined;
}

/** A schema in which `$ref`, and a value of `discriminator.mapping`, is the identity of a component. */
export type RawSchema = Record<string, unknown>;

export interface ResponseFact {
  /** `undefined`: a `number` that is not known. */
  status: number | undefined;
  /** Absent if the response has no body, or if the body is unknown. */
  schema?: RawSchema | undefined;
  /** False for a body of `never`: no content. */
  hasBody: boolean;
}

export interface TypeFact {
  /** Absent if the type is unknown: an error, a missing location or a free type parameter. */
  readonly schema?: RawSchema | undefined;
  /** For "responses", the lowest status first. */
  readonly responses?: readonly ResponseFact[] | undefined;
  /** The type depends on a type parameter of the enclosing function, so the caller has to be queried. */
  readonly isOpen?: boolean | undefined;
  /** The type is any or unknown, so nothing is known about the value. */
  readonly isUnknown?: boolean | undefined;
  /** For a "field": the value may be undefined, so that JSON leaves it out. */
  readonly mayBeAbsent?: boolean | undefined;
  /** For an "expression" or "type" that is made of literals only: their values. */
  readonly values?: readonly (string | number | boolean)[] | undefined;
  /** Identities of the components it refers to, directly and through others. */
  readonly components: readonly string[];
  readonly problems: readonly TypeProblem[];
  /** Why the schema allows more than the type. Omitted if it does not. */
  readonly inexact?: readonly TypeProblem[] | undefined;
}

export interface TypeProblem {
  readonly code: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

export interface RawComponent {
  /** Wished name: `Todo`, `PageTodo`. Names are settled elsewhere, per document. */
  readonly name: string;
  readonly schema: RawSchema;
  /** Where the type is declared. */
  readonly file: string;
  readonly line: number;
}

export interface TypeResults {
  /** In the order of the queries. */
  readonly facts: readonly TypeFact[];
  /** By identity. */
  readonly components: Readonly<Record<string, RawComponent>>;
  /** Files of the program, outside of node_modules and the compiler's libraries, that declare globals. */
  readonly ambientFiles: readonly string[];
}

export interface TypeEngineOptions {
  /** The project's folder, absolute. Identities are relative to it. */
  readonly root: string;
  /** Default: each file's own, the nearest one above it that includes it. */
  readonly tsconfig?: string | undefined;
  /** The files that will be asked about, absolute. */
  readonly files: readonly string[];
  /** See `conceal`. Default none. */
  readonly secrets?: readonly string[] | undefined;
}

/** Whether a text is a secret that the source holds, or contains one. */
export type IsSecret = (text: string) => boolean;

/** An open compiler. Not to be used after `close`. */
export interface TypeEngine {
  /** Throws only when the compiler is gone. */
  ask(queries: readonly TypeQuery[]): TypeResults;
  /** Sets the texts of the source that no result may contain. */
  conceal(secrets: readonly string[]): void;
  /** Reports files that were changed, created or deleted. */
  refresh(changed: readonly string[]): void;
  close(): void;
}
