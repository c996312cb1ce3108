import type { RequestEvent } from "../http/index.ts";
import { ApiError } from "../lib/errors/errors.ts";

/** Reads fields of the request body. A missing or non-string field is "", which no field accepts. */
export async function readFields<Name extends string>(
  e: RequestEvent,
  ...names: Name[]
): Promise<Record<Name, string>> {
  const body = await e.bindBody<unknown>();
  const values = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : "");
  return Object.fromEntries(names.map((name) => [name, text(name)])) as Record<Name, string>;
}

/** Like `readFields`, but the body is optional. */
export async function readOptionalFields<Name extends string>(
  e: RequestEvent,
  ...names: Name[]
): Promise<Record<Name, string>> {
  return readFields(e, ...names).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "BODY_EMPTY") throw error;
    return Object.fromEntries(names.map((name) => [name, ""])) as Record<Name, string>;
  });
}

/** Enough for every field at its maximum length, even if every character of a password is escaped. */
export const formBytes = 65_536;
