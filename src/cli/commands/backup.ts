import { parseArgs } from "node:util";
import { resolveConfig } from "../../app/config/config.ts";
import { listStores } from "../../app/databases.ts";
import { features } from "../../app/features.ts";
import { annexVersion } from "../../app/version.ts";
import { defined } from "../../lib/defined.ts";
import { formatBytes } from "../../lib/text/byte-size.ts";
import { escapeControls } from "../../lib/text/terminal-text.ts";
import { createBackup, describeDump, listContents, mainFile, separateFiles } from "../../storage/index.ts";
import { describeBackup } from "../backup-contents.ts";
import { type Command, print, printProblem, UsageError } from "../command.ts";

/** Distinguishes a backup that another tool has to make from one that failed. */
const exitPostgres = 2;

/** A file that can be left out, with the tables that it contains or, in PostgreSQL, would contain. */
interface OptionalFile {
  readonly file: string;
  readonly flag: string;
  readonly contents: string;
  readonly tables: readonly string[];
}

const optionalFiles = [...separateFiles(listStores(features))].map(
  ([file, stores]): OptionalFile => ({
    file,
    flag: `without-${file.replace(/\.db$/, "")}`,
    contents: listContents(stores),
    tables: stores.flatMap(({ tables }) => tables),
  }),
);

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
    ...optionalFiles.map(
      ({ file, flag, contents }) => `  ${`--${flag}`.padEnd(20)}  leave out ${file}, the ${contents}`,
    ),
    "  --force               replace an existing file",
    "  --data-dir <folder>   data folder of the application (default ./svc_data, environment SVC_DATA_DIR)",
    "  --database <url>      PostgreSQL database of the application, if it uses one (environment SVC_DATABASE_URL).",
    "                        The command then shows how to call pg_dump, and exits with 2",
  ].join("\n"),
  async run(args) {
    const { target, force, without, server } = parseCall(args);
    if (server.database !== undefined) return explainPostgres(server.database, target, without);
    const kept = optionalFiles.filter((each) => !without.includes(each));
    const files = [mainFile, ...kept.map(({ file }) => file)];
    const created = await createBackup({ dataDir: server.dataDir, target, files, annexVersion, force });
    print(`Wrote ${escapeControls(created.path)} (${formatBytes(created.bytes)}).`);
    print(describeBackup(created.manifest));
    print(
      "The file contains password hashes and tokens. Copy it to another machine, and restrict access to it.",
    );
    return 0;
  },
};

function explainPostgres(url: string, target: string, without: readonly OptionalFile[]): number {
  const excluded = without.flatMap(({ tables }) => tables);
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
  const without = optionalFiles.filter(({ flag }) => (values as Record<string, unknown>)[flag]);
  return { target, force: values.force, without, server };
}

function parse(args: string[]) {
  try {
    const options = {
      "data-dir": { type: "string" },
      database: { type: "string" },
      force: { type: "boolean" },
    } as const;
    const flags = Object.fromEntries(optionalFiles.map(({ flag }) => [flag, { type: "boolean" } as const]));
    return parseArgs({ args, allowPositionals: true, options: { ...flags, ...options } });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}
