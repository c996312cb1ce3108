import { StartError } from "../../lib/errors/start-error.ts";
import { faultOf } from "../faults.ts";
import { isPassing } from "./failures.ts";

/** The database server cannot be reached at the moment. It may be starting or moving to another host. */
export class DatabaseOutage extends StartError {
  constructor(message: string, options?: { cause?: unknown }) {
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

/** Descriptions and remedies by error code of Node and PostgreSQL. */
const reasons: Record<string, string> = {
  ECONNREFUSED: "connection refused; start PostgreSQL or correct the host and port",
  ENOTFOUND: "unknown host; correct the host name",
  EAI_AGAIN: "the host name cannot be resolved; check the network",
  ENOENT: "the socket does not exist; start PostgreSQL or correct the path",
  "28P01": "authentication failed; correct the user and password",
  "28000": "access denied for this user; correct the user or the server's pg_hba.conf",
  "3D000": "the database does not exist; create it or correct the name",
  "53300": "too many connections; lower databasePoolSize or raise max_connections of the server",
};

export function unreachable(place: string, error: unknown): StartError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const reason =
    reasons[code] ??
    describeRefusal(message) ??
    `${message || code}; check that the server is running and reachable`;
  const sentence = `The PostgreSQL database at ${place} cannot be reached: ${reason}.`;
  return new StartError("DATABASE_UNREACHABLE", sentence, { cause: error });
}

/** A pooler refuses parameters that the address contains, such as `options`. */
function describeRefusal(message: string): string | undefined {
  const name = /unsupported startup parameter.*: (\w+)$/.exec(message)?.[1];
  return (
    name &&
    `the connection pooler refuses the parameter ${name}; remove it from the address, or add it to ignore_startup_parameters of PgBouncer`
  );
}
