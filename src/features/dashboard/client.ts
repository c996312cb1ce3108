import { type ClientFiles, clientFolder, readClient } from "../../http/index.ts";
import { DASHBOARD_FILE_NOT_FOUND, DASHBOARD_NOT_BUILT } from "./errors.ts";

/** Reads the built dashboard. */
export function readDashboard(
  folder: URL = clientFolder("dashboard", import.meta.url),
): Promise<ClientFiles> {
  return readClient(folder, {
    notBuilt: (cause) => DASHBOARD_NOT_BUILT.with({ cause }),
    fileNotFound: (name, cause) => DASHBOARD_FILE_NOT_FOUND.with({ cause }, name),
  });
}

/** The folder of a page is its name. The overview has no chunk of its own; it is at `/_/_`. */
const pageSource = /^src\/pages\/([a-z][a-z0-9-]*)\//;

/** Names of the pages that the client can load, such as "cron". */
export function pagesOf({ sources }: ClientFiles): ReadonlySet<string> {
  return new Set(sources.flatMap((source) => pageSource.exec(source)?.[1] ?? []));
}
