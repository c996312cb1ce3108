import { ApiError } from "../lib/errors/errors.ts";
import { AUTH_UNAVAILABLE } from "./errors.ts";

/** Converts a database failure to `503` with `Retry-After`. Errors for the client are passed on. */
export async function whenAvailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw AUTH_UNAVAILABLE.with({ cause, headers: { "Retry-After": "5" } });
  }
}
