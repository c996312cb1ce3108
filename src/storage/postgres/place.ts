import pg from "pg";
import { StartError } from "../../lib/errors/start-error.ts";

/** Describes the target of an address without its password: `db.example:5432/annex`. */
export function describePlace(url: string): string {
  try {
    const { host, port, database } = new pg.Client({ connectionString: url });
    return `${host}:${port}/${database}`;
  } catch {
    // The cause is omitted, because Node includes the whole address in it.
    const remedy = "Percent-encode special characters in the password, such as %23 for #";
    throw new StartError("INVALID_OPTION", `The database address is invalid. ${remedy}.`);
  }
}
