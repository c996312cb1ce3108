import { parseArgs } from "node:util";
import { resolveConfig } from "../../app/config/config.ts";
import { annexVersion } from "../../app/version.ts";
import { defined } from "../../lib/defined.ts";
import { formatBytes } from "../../lib/text/byte-size.ts";
import { escapeControls } from "../../lib/text/terminal-text.ts";
import { createBackup, describeDump } from "../../storage/index.ts";
import { listContents } from "../backup-contents.ts";
import { type Command, print, printProblem, UsageError } from "../command.ts";

/** Distinguishes a backup that another tool has to make from one that failed. */
const exitPostgres = 2;

/** Tables of metrics.db, if everything is in one PostgreSQL database. */
const metricTables = ["annex_metric_*", "annex_error*", "annex_visitor*"];

/** Uses the databases directly, so the server can be running or stopped. */
export const backup: Command = {
  help: [
    "Usage: annex backup <file or folder>",
    "",
    "Writes a consistent copy of the data to one file, while the server runs. In a folder, the file gets a name with",
    "the current time. A folder that does not exist is created if its name ends with a slash. The file contains password",
    "hashes and tokens; only its owner can read it.",
    "",
    "  annex backup backups/",
    "  annex backup notes.tar.gz --without-logs --without-metrics",
    "",
    "Options:",
    "  --without-logs        leave out logs.db, the log records",
    "  --without-metrics     leave out metrics.db, the metrics, errors and visitors",
    "  --force               replace an existing file",
    "  --data-dir <folder>   data folder of the application (default ./svc_data, environment SVC_DATA_DIR)",
    "  --database <url>      PostgreSQL database of the application, if it uses one (environment SVC_DATABASE_URL).",
    "                        The command then shows how to call pg_dump, and exits with 2",
  ].join("\n"),
  async run(args) {
    const { target, force, without, server } = parseCall(args);
    if (server.database !== undefined) return explainPostgres(server.database, target, without);
    const files = ["annex.db", "logs.db", "metrics.db"].filter((file) => !without.has(file));
    const created = await createBackup({ dataDir: server.dataDir, target, files, annexVersion, force });
    print(`Wrote ${escapeControls(created.path)} (${formatBytes(created.bytes)}).`);
    print(listContents(created.manifest));
    print(
      "The file contains password hashes and tokens. Copy it to another machine, and restrict access to it.",
    );
    return 0;
  },
};

function explainPostgres(url: string, target: string, without: ReadonlySet<string>): number {
  const excluded = [
    ...(without.has("logs.db") ? ["annex_log_*"] : []),
    ...(without.has("metrics.db") ? metricTables : []),
  ];
  const file = /[\\/]$/.test(target) ? `${target}annex.dump` : target;
  printProblem(
    [
      "No backup was written, because the application stores its data in PostgreSQL. Use pg_dump, while the server runs:",
      `  ${describeDump(url, file, excluded)}`,
      "Set the password in PGPASSWORD or in ~/.pgpass.",
    ].join("\n"),
  );
  return exitPostgres;
}

function parseCall(args: string[]) {
  const { values, positionals } = parse(args);
  const [target, ...more] = positionals;
  if (target === undefined || target === "")
    throw new UsageError("Specify the file or the folder to write to.");
  if (more.length > 0) throw new UsageError(`Unexpected argument "${more[0]}".`);
  const { server } = resolveConfig(defined({ dataDir: values["data-dir"], database: values.database }));
  const without = new Set<string>();
  if (values["without-logs"]) without.add("logs.db");
  if (values["without-metrics"]) without.add("metrics.db");
  return { target, force: values.force, without, server };
}

function parse(args: string[]) {
  try {
    const options = {
      "data-dir": { type: "string" },
      database: { type: "string" },
      force: { type: "boolean" },
      "without-logs": { type: "boolean" },
      "without-metrics": { type: "boolean" },
    } as const;
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}
