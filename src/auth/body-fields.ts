import type { RequestEvent } from "../http/index.ts";
import { ApiError } from "../lib/errors.ts";

/** The named fields of a request's body. What is missing or is not text is the empty text, which no field accepts. */
export async function readFields<Name extends string>(
  e: RequestEvent,
  ...names: Name[]
): Promise<Record<Name, string>> {
  const body = await e.bindBody<unknown>();
  const values = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : "");
  return Object.fromEntries(names.map((name) => [name, text(name)])) as Record<Name, string>;
}

/** As `readFields`, for a request that need not have a body. */
export async function readOptionalFields<Name extends string>(
  e: RequestEvent,
  ...names: Name[]
): Promise<Record<Name, string>> {
  return readFields(e, ...names).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "BODY_EMPTY") throw error;
    return Object.fromEntries(names.map((name) => [name, ""])) as Record<Name, string>;
  });
}

/** Room for every field at its longest, also when each character of a password is written as an escape. */
export const formBytes = 65_536;
