import type { z } from "zod";
import type { RequestEvent } from "../../../../src/index.ts";

/** The query as the schema wants it, or a 400. */
export function parseQuery<S extends z.ZodType>(e: RequestEvent, schema: S): z.infer<S> {
  const result = schema.safeParse(Object.fromEntries(e.url.searchParams));
  if (!result.success) {
    throw e.error(400, "The query is not valid.", {
      query: { code: "invalid", message: result.error.message },
    });
  }
  return result.data;
}
