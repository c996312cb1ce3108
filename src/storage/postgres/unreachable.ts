import { StartError } from "../../lib/errors/start-error.ts";

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
