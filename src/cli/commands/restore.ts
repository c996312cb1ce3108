import { parseArgs } from "node:util";
import { resolveConfig } from "../../app/config/config.ts";
import { listStores } from "../../app/databases.ts";
import { features } from "../../app/features.ts";
import { annexVersion } from "../../app/version.ts";
import { defined } from "../../lib/defined.ts";
import { escapeControls } from "../../lib/text/terminal-text.ts";
import {
  describeDumpRestore,
  listReplaced,
  lockDataDir,
  readManifest,
  recoverRestore,
  refuseNewerBackup,
  restoreBackup,
} from "../../storage/index.ts";
import { describeBackup } from "../backup-contents.ts";
import { type Command, print, printProblem, UsageError } from "../command.ts";
import { confirm } from "../confirm.ts";

/** Distinguishes a database that another tool has to restore from a failure. */
const exitPostgres = 2;

const exitCancelled = 1;

export const restore: Command = {
  help: [
    "Usage: annex restore <backup>",
    "",
    "Replaces the data of a stopped server with a backup of annex backup. The command first checks the backup, and",
    "keeps the previous files in a folder inside the data folder. If it is interrupted, the next start of the server",
    "has either the old or the new data.",
    "",
    "  annex restore backups/annex-2026-03-01T02-15-00Z.tar.gz",
    "  annex restore notes.tar.gz --data-dir ./restore-test --yes",
    "",
    "Options:",
    "  --yes                 do not ask before data is replaced",
    "  --data-dir <folder>   data folder of the application (default ./svc_data, environment SVC_DATA_DIR)",
    "  --database <url>      PostgreSQL database of the application, if it uses one (environment SVC_DATABASE_URL).",
    "                        The command then shows how to call pg_restore, and exits with 2",
  ].join("\n"),
  async run(args) {
    const { path, yes, server } = parseCall(args);
    if (server.database !== undefined) return explainPostgres(server.database, path);
    const { dataDir } = server;
    const release = { annexVersion, migrations: knownMigrations() };
    const manifest = await readManifest(path);
    refuseNewerBackup(path, manifest, release);
    print(describeBackup(manifest));
    using lock = lockDataDir(dataDir);
    recoverRestore(dataDir);
    const replaced = listReplaced(dataDir, manifest);
    if (!yes && replaced.length > 0 && !(await confirmReplacement(dataDir, replaced))) {
      printProblem("Cancelled. Nothing was changed.");
      return exitCancelled;
    }
    const { aside } = await restoreBackup({ path, dataDir, lock, ...release });
    print(`Restored the data to ${escapeControls(dataDir)}.`);
    if (aside !== undefined)
      print(
        `The previous files are in ${escapeControls(aside)}. Delete this folder when you no longer need it.`,
      );
    return 0;
  },
};

function knownMigrations() {
  return listStores(features).map(({ migrations }) => migrations);
}

function confirmReplacement(dataDir: string, files: readonly string[]): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError(`${dataDir} already contains ${files.join(", ")}. Add --yes to replace them.`);
  return confirm(`Replace ${files.join(", ")} in ${escapeControls(dataDir)}?`);
}

function explainPostgres(url: string, path: string): number {
  printProblem(
    [
      "Nothing was restored, because the application stores its data in PostgreSQL. Stop all instances and use pg_restore:",
      `  ${describeDumpRestore(url, path)}`,
      "Set the password in PGPASSWORD or in ~/.pgpass.",
    ].join("\n"),
  );
  return exitPostgres;
}

function parseCall(args: string[]) {
  const { values, positionals } = parse(args);
  const [path, ...more] = positionals;
  if (path === undefined || path === "") throw new UsageError("Specify the backup.");
  if (more.length > 0) throw new UsageError(`Unexpected argument "${more[0]}".`);
  const { server } = resolveConfig(defined({ dataDir: values["data-dir"], database: values.database }));
  return { path, yes: values.yes, server };
}

function parse(args: string[]) {
  try {
    const options = {
      "data-dir": { type: "string" },
      database: { type: "string" },
      yes: { type: "boolean" },
    } as const;
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}
