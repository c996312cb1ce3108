import { ApiError } from "../lib/errors.ts";
import { AUTH_UNAVAILABLE } from "./errors.ts";

/** Turns a failure of the database into `503` with `Retry-After`. Errors that are meant for the client pass. */
export async function whenAvailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw AUTH_UNAVAILABLE.with({ cause, headers: { "Retry-After": "5" } });
  }
}
