import type { StandardSchemaV1 } from "@standard-schema/spec";
import { invalid, refuseInvalid } from "../../../lib/fields.ts";
import { problemsByField } from "../../../lib/schema-problems.ts";
import { INVALID_PARAMETERS } from "../errors.ts";

/** Parameters as stored with a run. */
export interface StoredParameters {
  /** `null` if there are none. */
  readonly json: string | null;
  readonly schema: StandardSchemaV1 | undefined;
}

/** Maximum size of the JSON. Larger data belongs in a table or a file that the parameters name. */
export const maxParametersBytes = 65_536;

/** Checks parameters and returns the JSON to store. They are stored as given; defaults and conversions of the schema apply to each run. */
export async function writeParameters(
  value: unknown,
  schema: StandardSchemaV1 | undefined,
): Promise<string | undefined> {
  if (value === undefined) return undefined;
  const json = toJson(value);
  const isValid = json !== undefined && Buffer.byteLength(json) <= maxParametersBytes;
  refuseInvalid({
    parameters: isValid ? undefined : invalid("parameters", "a JSON value of at most 64 KB"),
  });
  await validate(JSON.parse(json!), schema);
  return json;
}

/** The parameters for the job's function. Throws if the schema has changed and no longer accepts them. */
export async function readParameters({ json, schema }: StoredParameters): Promise<unknown> {
  return json === null ? undefined : validate(JSON.parse(json), schema);
}

async function validate(value: unknown, schema: StandardSchemaV1 | undefined): Promise<unknown> {
  if (!schema) return value;
  const result = await schema["~standard"].validate(value);
  if (!result.issues) return result.value;
  const data = problemsByField(result.issues, "parameters");
  const details = Object.entries(data).map(([field, { message }]) => `${field}: ${message}`);
  throw INVALID_PARAMETERS.with({ data }, details.join("; "));
}

/** `undefined` for values that JSON does not have, such as functions and circular objects. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
