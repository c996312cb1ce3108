import type { FieldProblem } from "../../lib/errors/errors.ts";

/** The problems of a value by field, such as `items.0.name`; `undefined` without problems. */
export type FindProblems<T = unknown> = (value: T) => Readonly<Record<string, FieldProblem>> | undefined;

/** The values that the parameters of a request are read from: a `RequestEvent`. */
export interface ParameterSource {
  pathValue(name: string): string;
  query(name: string): string | undefined;
  queryAll(name: string): string[];
}

/** Checks requests against the types that the handler of a route declares. Does not change them. */
export interface RouteCheck {
  /** Missing if every value is allowed. */
  readonly parameters?: FindProblems<ParameterSource> | undefined;
  /** Missing if the handler declares no body, or validates it itself. */
  readonly body?: BodyCheck | undefined;
}

export interface BodyCheck {
  readonly isRequired: boolean;
  /** By content type. Other types are rejected. `null` if the handler decodes the body itself. */
  readonly types: ReadonlyMap<string, FindProblems | null>;
}
