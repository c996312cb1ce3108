import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isPromiseLike } from "../../lib/promise-like.ts";
import type { ProgressDeadline } from "./progress-deadline.ts";

export interface SchemaRun {
  /** The part of the request, for messages: "request body". */
  readonly part: string;
  readonly deadline: ProgressDeadline;
}

const notASchema =
  "Expected a Standard Schema. Pass a schema of zod 3.24, valibot 1, arktype 2 or newer, or of another library that implements the standard.";

/** Validates a part of a request. */
export async function runSchema<S extends StandardSchemaV1>(
  schema: S,
  value: unknown,
  { part, deadline }: SchemaRun,
): Promise<StandardSchemaV1.Result<StandardSchemaV1.InferOutput<S>>> {
  type Result = StandardSchemaV1.Result<StandardSchemaV1.InferOutput<S>>;
  if (typeof schema?.["~standard"]?.validate !== "function") throw new TypeError(notASchema);
  const result = schema["~standard"].validate(value) as Result | PromiseLike<Result>;
  if (!isPromiseLike<Result>(result)) return result;
  return deadline(Promise.resolve(result), {
    // The client has sent its data, so this is an error in the application.
    timeoutError: (ms) => new Error(`Schema validation of the ${part} took longer than ${ms} ms.`),
  });
}
