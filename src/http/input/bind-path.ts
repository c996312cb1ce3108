import type { StandardSchemaV1 } from "@standard-schema/spec";
import { problemsByField } from "../../lib/schema-problems.ts";
import type { ProgressDeadline } from "../body/progress-deadline.ts";
import { runSchema } from "../body/run-schema.ts";
import { PATH_INVALID } from "../errors/errors.ts";
import type { PathValues, RoutePattern } from "../route/pattern.ts";

/** Validates the path values of a request. */
export async function bindPath<S extends StandardSchemaV1>(
  schema: S,
  values: Readonly<Record<string, unknown>>,
  deadline: ProgressDeadline,
): Promise<StandardSchemaV1.InferOutput<S>> {
  const result = await runSchema(schema, values, { part: "path values", deadline });
  if (result.issues) throw PATH_INVALID.with({ data: problemsByField(result.issues, "path") });
  return result.value;
}

/** The path values by the names in the pattern. */
export function namedValues({ names, rest }: RoutePattern, params: PathValues): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  for (const name of names) values[name] = params[name === rest ? "*" : name];
  return values;
}
