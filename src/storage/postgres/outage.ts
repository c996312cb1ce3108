import { StartError } from "../../lib/errors/start-error.ts";
import { faultOf } from "../faults.ts";
import { isPassing } from "./failures.ts";
import { unreachable } from "./unreachable.ts";

/** The database server cannot be reached at the moment. It may be starting or moving to another host. */
export class DatabaseOutage extends StartError {
  constructor(message: string, options?: ErrorOptions) {
    super("DATABASE_UNREACHABLE", message, options);
  }
}

/**
 * Describes a failure to open a connection, or the loss of one. Undefined for errors that do not resolve themselves, such
 * as a wrong password.
 */
export function toOutage(error: unknown): DatabaseOutage | undefined {
  if (error instanceof DatabaseOutage) return error;
  const fault = faultOf(error);
  if (fault) {
    if (fault.reason !== "unavailable") return undefined;
    const cause = rootOf(error);
    return new DatabaseOutage(unreachable(fault.place, cause).message, { cause });
  }
  const isUnreachable = error instanceof StartError && error.code === "DATABASE_UNREACHABLE";
  if (!isUnreachable || !isPassing(error.cause)) return undefined;
  return new DatabaseOutage(error.message, { cause: error.cause });
}

/** The error of PostgreSQL or of the connection. */
function rootOf(error: unknown): Error {
  let root = error as Error;
  while (root.cause instanceof Error) root = root.cause;
  return root;
}
