import type { z } from "zod";
import type { RequestEvent } from "../../../../src/index.ts";

/** The body as the schema wants it, or a 422 that names the first problem. */
export async function parseBody<S extends z.ZodType>(e: RequestEvent, schema: S): Promise<z.infer<S>> {
  const result = schema.safeParse(await e.bindBody());
  if (result.success) return result.data;
  const [first] = result.error.issues;
  throw e.error(422, first?.message ?? "The body is not valid.");
}
