import type { FieldProblem } from "../../lib/errors/errors.ts";
import { invalidFields } from "../../lib/fields.ts";

/** The query of a request: a `RequestEvent`, or an object with the same texts. */
export interface QuerySource {
  queryAll(name: string): string[];
}

/** Problems by parameter name. */
export type Problems = Readonly<Record<string, FieldProblem>>;

export type Reading<T> = { readonly value: T } | { readonly problems: Problems };

/** Reads the parameter with the given name. Some read several parameters that belong together, whatever the name. */
export type Parameter<T> = (source: QuerySource, name: string) => Reading<T>;

export type Declaration = Readonly<Record<string, Parameter<unknown>>>;

/** The values of declared parameters. */
export type QueryValues<D extends Declaration> = {
  readonly [Name in keyof D]: D[Name] extends Parameter<infer T> ? T : never;
};

/** Finds problems of values that are valid individually. Invalid values are absent. */
export type FindConflicts<D extends Declaration> = (values: Partial<QueryValues<D>>) => Problems;

/**
 * Reads the declared parameters of a query. All invalid parameters are reported together.
 *
 * ```ts
 * const { limit, removed } = readQuery(e, {
 *   limit: query.int({ min: 1, max: 100, default: 20 }),
 *   removed: query.flag(),
 * });
 * ```
 */
export function readQuery<D extends Declaration>(
  source: QuerySource,
  declared: D,
  findConflicts?: FindConflicts<NoInfer<D>>,
): QueryValues<D> {
  const reading = together(declared, findConflicts)(source, "");
  if ("problems" in reading) throw invalidFields(reading.problems);
  return reading.value;
}

/** Combines several parameters into one. */
export function together<D extends Declaration>(
  declared: D,
  findConflicts: FindConflicts<NoInfer<D>> = () => ({}),
): Parameter<QueryValues<D>> {
  return (source) => {
    const values: Record<string, unknown> = {};
    const problems: Record<string, FieldProblem> = {};
    for (const [name, read] of Object.entries(declared)) {
      const reading = read(source, name);
      if ("problems" in reading) Object.assign(problems, reading.problems);
      else values[name] = reading.value;
    }
    const found = { ...findConflicts(values as Partial<QueryValues<D>>), ...problems };
    return Object.keys(found).length > 0 ? { problems: found } : { value: values as QueryValues<D> };
  };
}
