import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { resolveConfig } from "../../app/config/config.ts";
import { listStores } from "../../app/databases.ts";
import { features } from "../../app/features.ts";
import { defined } from "../../lib/defined.ts";
import { BackupError } from "../../lib/errors/backup-error.ts";
import { StartError } from "../../lib/errors/start-error.ts";
import { formatBytes } from "../../lib/text/byte-size.ts";
import { escapeControls } from "../../lib/text/terminal-text.ts";
import {
  type CompactionPlan,
  compactFile,
  lockDataDir,
  mainFile,
  planCompaction,
  separateFiles,
} from "../../storage/index.ts";
import { type Command, print, printProblem, UsageError } from "../command.ts";

/** PostgreSQL has its own tools. */
const exitPostgres = 2;

/** More than this in `annex.db` would block the requests of a running server for seconds. */
const mostBeside = 64 * 2 ** 20;

export const compact: Command = {
  help: [
    "Usage: annex compact [options]",
    "",
    "Makes the database files smaller after data was deleted, while the server runs or when it is stopped. New files",
    "return their free space by themselves. Files of earlier versions are written again once, which needs free space.",
    "The command shows how much before it begins. If it is interrupted, no data is lost.",
    "",
    "  annex compact",
    "  annex compact --dry-run",
    "",
    "Options:",
    "  --dry-run             only show the sizes and the space that is needed",
    "  --data-dir <folder>   data folder of the application (default ./svc_data, environment SVC_DATA_DIR)",
    "  --database <url>      PostgreSQL database of the application, if it uses one (environment SVC_DATABASE_URL).",
    "                        The command then does nothing, and exits with 2",
  ].join("\n"),
  async run(args) {
    const { dryRun, server } = parseCall(args);
    if (server.database !== undefined) return explainPostgres();
    const { dataDir } = server;
    // Read before the first file is opened. The copy is on the disk whose free space is checked, and has no name, so
    // nothing remains of it.
    process.env.SQLITE_TMPDIR = resolve(dataDir);
    const files = [mainFile, ...separateFiles(listStores(features)).keys()];
    const plans = files.flatMap((file) => planCompaction(dataDir, file) ?? []);
    if (plans.length === 0)
      throw new BackupError("missing", `The data folder ${escapeControls(dataDir)} has no data.`);
    for (const plan of plans) print(describePlan(plan));
    if (dryRun) return 0;
    using lock = tryLock(dataDir);
    // The smallest first, because each one gives space to the next.
    const sorted = plans.toSorted((one, other) => one.needed - other.needed);
    const codes = sorted.map((plan) => compactOne(dataDir, plan, lock === undefined));
    return Math.max(...codes);
  },
};

/** Returns the exit code. */
function compactOne(dataDir: string, plan: CompactionPlan, isServerRunning: boolean): number {
  const { file, size, free, blocksWriters } = plan;
  if (!blocksWriters && free === 0) return 0;
  if (isServerRunning && file === mainFile && blocksWriters && size - free > mostBeside) {
    printProblem(
      `${file} was left as it is: ${formatBytes(size - free)} of data would block the requests of the running server. Stop the server and run the command again.`,
    );
    return inUse;
  }
  const { needed, available } = planCompaction(dataDir, file)!;
  if (needed > available) {
    printProblem(
      `${file} was left as it is: the disk has ${formatBytes(available)} free, but ${formatBytes(needed)} are needed.`,
    );
    return unwritable;
  }
  print(`${file}: ${formatBytes(size)} before, ${formatBytes(compactFile(dataDir, file))} now.`);
  return 0;
}

const unwritable = new BackupError("unwritable", "").exitCode;
const inUse = new StartError("DATA_DIR_IN_USE", "").exitCode;

function describePlan({ file, size, free, needed, available }: CompactionPlan): string {
  const need =
    needed === 0
      ? "no free space is needed"
      : `${formatBytes(needed)} of free space are needed, ${formatBytes(available)} are available`;
  return `${file} has ${formatBytes(size)}, of which ${formatBytes(free)} are free; ${need}.`;
}

/** Undefined while a server uses the folder. A lock keeps one from starting meanwhile. */
function tryLock(dataDir: string) {
  try {
    return lockDataDir(dataDir);
  } catch (error) {
    if (error instanceof StartError && error.code === "DATA_DIR_IN_USE") return undefined;
    throw error;
  }
}

function explainPostgres(): number {
  printProblem(
    "Nothing was compacted, because the application stores its data in PostgreSQL. Its autovacuum makes the space of deleted rows available again.",
  );
  return exitPostgres;
}

function parseCall(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        "dry-run": { type: "boolean" },
        "data-dir": { type: "string" },
        database: { type: "string" },
      },
    });
    const { server } = resolveConfig(defined({ dataDir: values["data-dir"], database: values.database }));
    return { dryRun: values["dry-run"] === true, server };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new UsageError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}
