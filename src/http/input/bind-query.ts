import type { StandardSchemaV1 } from "@standard-schema/spec";
import { problemsByField } from "../../lib/schema-problems.ts";
import { FieldSet, hasMoreThan, maxFields } from "../body/body-formats.ts";
import type { ProgressDeadline } from "../body/progress-deadline.ts";
import { runSchema } from "../body/run-schema.ts";
import { QUERY_INVALID } from "../errors/errors.ts";

type Issues = readonly StandardSchemaV1.Issue[];
type Values = Readonly<Record<string, unknown>>;

/** Validates the query of a request target. */
export async function bindQuery<S extends StandardSchemaV1>(
  schema: S,
  target: string,
  deadline: ProgressDeadline,
): Promise<StandardSchemaV1.InferOutput<S>> {
  const run = { part: "query", deadline };
  const values = readValues(target);
  const first = await runSchema(schema, values, run);
  if (!first.issues) return first.value;
  const names = singleValuesIn(first.issues, values);
  if (names.size === 0) throw refuse(first.issues);
  // The query does not show whether `?tag=a` is a value or a list with one item.
  const second = await runSchema(schema, asLists(values, names), run);
  if (!second.issues) return second.value;
  throw refuse(joinIssues(first.issues, second.issues, names));
}

/** The parameters by name: a string, or an array of strings if the name is repeated. */
function readValues(target: string): Values {
  const start = target.indexOf("?");
  if (start === -1) return new FieldSet().values;
  const search = target.slice(start + 1);
  if (hasMoreThan(search, "&", maxFields - 1))
    throw refuse([{ message: `The query has more than ${maxFields} parameters.` }]);
  const fields = new FieldSet();
  for (const [name, value] of new URLSearchParams(search)) {
    if (name === "__proto__") throw refuse([{ message: "The parameter name __proto__ is not allowed." }]);
    fields.add(name, value);
  }
  return fields.values;
}

/** The names of rejected values that were sent once. */
function singleValuesIn(issues: Issues, values: Values): ReadonlySet<string> {
  const names = issues.map(nameOf).filter((name) => name !== undefined);
  return new Set(names.filter((name) => typeof values[name] === "string"));
}

/** The parameter that an issue is about. `undefined` for the whole query. */
function nameOf({ path: [first] = [] }: StandardSchemaV1.Issue): string | undefined {
  return first === undefined ? undefined : String(typeof first === "object" ? first.key : first);
}

function asLists(values: Values, names: ReadonlySet<string>): Values {
  const lists: Record<string, unknown> = Object.assign(Object.create(null), values);
  for (const name of names) lists[name] = [values[name]];
  return lists;
}

/**
 * The issues of both attempts. A name without issues as a list is valid, and issues of an item show that the schema
 * expects a list. In other cases, the issue of the single value is the one to show.
 */
function joinIssues(first: Issues, second: Issues, names: ReadonlySet<string>): Issues {
  const isList = (name: string) => {
    const found = second.filter((issue) => nameOf(issue) === name);
    return found.length === 0 || found.some(({ path = [] }) => path.length > 1);
  };
  const lists = new Set<string | undefined>([...names].filter(isList));
  const joined = [
    ...first.filter((issue) => !lists.has(nameOf(issue))),
    ...second.filter((issue) => lists.has(nameOf(issue))),
  ];
  return joined.length > 0 ? joined : second;
}

function refuse(issues: Issues): Error {
  return QUERY_INVALID.with({ data: problemsByField(issues, "query") });
}
