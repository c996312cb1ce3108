import pg from "pg";
import { StartError } from "../../lib/start-error.ts";

/** What happened and what to do, by the codes of Node and of PostgreSQL. */
const reasons: Record<string, string> = {
  ECONNREFUSED: "nothing listens there; start PostgreSQL or correct the host and port",
  ENOTFOUND: "there is no host of that name; correct the host",
  EAI_AGAIN: "the host's name cannot be looked up now; check the network",
  ENOENT: "there is no such socket; start PostgreSQL or correct the path",
  "28P01": "it refused the password; correct the user and password",
  "28000": "it does not let this user in; correct the user or the server's pg_hba.conf",
  "3D000": "there is no database of that name; create it or correct the name",
  "53300": "it has no connection left; raise its max_connections or lower poolSize",
};

/** Where an address points to, in words that never hold its password: `db.example:5432/annex`. */
export function describePlace(url: string): string {
  try {
    const { host, port, database } = new pg.Client({ connectionString: url });
    return `${host}:${port}/${database}`;
  } catch {
    // The cause is not kept: Node puts the whole address into it.
    const remedy = "write special characters of the password in percent form, such as %23 for #";
    throw new StartError("INVALID_OPTION", `The database address cannot be read; ${remedy}.`);
  }
}

export function unreachable(place: string, error: unknown): StartError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const reason = reasons[code] ?? `${message || code}; check that the server runs and can be reached`;
  const sentence = `The PostgreSQL database at ${place} cannot be reached: ${reason}.`;
  return new StartError("DATABASE_UNREACHABLE", sentence, { cause: error });
}
