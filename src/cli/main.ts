import { BackupError } from "../lib/errors/backup-error.ts";
import { formatErrorChain } from "../lib/errors/error-chain.ts";
import { ApiError } from "../lib/errors/errors.ts";
import { StartError } from "../lib/errors/start-error.ts";
import { keepRunningDuring } from "../lib/node/keep-running.ts";
import { defaultRedactor } from "../lib/redaction/redactor.ts";
import { type Command, print, printProblem, UsageError } from "./command.ts";

/** A line of `annex --help`. The command is loaded when it is called, because some load most of the package. */
interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

/** The commands, in the order of `annex --help`. */
export const commands: readonly CommandEntry[] = [
  {
    name: "init",
    summary: "create an application in this folder",
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    name: "dev",
    summary: "run an application and restart it when a file changes",
    load: async () => (await import("./commands/dev.ts")).dev,
  },
  {
    name: "worker",
    summary: "run the jobs of an application without listening on a port",
    load: async () => (await import("./commands/worker.ts")).worker,
  },
  {
    name: "build",
    summary: "compile an application and generate its API documents for production",
    load: async () => (await import("./commands/build.ts")).build,
  },
  {
    name: "specs",
    summary: "generate, validate and compare the OpenAPI documents of an application",
    load: async () => (await import("./commands/specs.ts")).specs,
  },
  {
    name: "client",
    summary: "write a typed client of an application's API",
    load: async () => (await import("./commands/client.ts")).client,
  },
  {
    name: "doctor",
    summary: "list the diagnostics of the API documents, and how to fix them",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "superuser",
    summary: "create, list and remove superusers, and change their passwords",
    load: async () => (await import("./commands/superuser.ts")).superuser,
  },
  {
    name: "backup",
    summary: "write a consistent copy of the data to one file, while the server runs",
    load: async () => (await import("./commands/backup.ts")).backup,
  },
  {
    name: "restore",
    summary: "replace the data of a stopped server with a backup",
    load: async () => (await import("./commands/restore.ts")).restore,
  },
  {
    name: "compact",
    summary: "return the free space of the database files to the disk",
    load: async () => (await import("./commands/compact.ts")).compact,
  },
];

const exitUsage = 64;

export async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    print(overview());
    return name === undefined ? exitUsage : 0;
  }
  const entry = commands.find((each) => each.name === name);
  try {
    if (entry === undefined) throw new UsageError(`Unknown command "${name}".`);
    const command = await entry.load();
    const own = command.passesArguments ? args.slice(0, indexOfEntry(args)) : args;
    if (own.includes("--help") || own.includes("-h")) {
      print(command.help);
      return 0;
    }
    return await keepRunningDuring(() => command.run(args));
  } catch (error) {
    return explain(error, entry?.name);
  }
}

function indexOfEntry(args: readonly string[]): number {
  const index = args.findIndex((each) => !each.startsWith("-"));
  return index === -1 ? args.length : index;
}

function overview(): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return ["Usage: annex <command>", "", ...lines, "", 'Run "annex <command> --help" for details.'].join("\n");
}

/** Prints one sentence for errors that the user can fix, otherwise the stack. */
function explain(error: unknown, command: string | undefined): number {
  if (error instanceof UsageError) {
    printProblem(`${error.message} See ${["annex", command, "--help"].filter(Boolean).join(" ")}.`);
    return exitUsage;
  }
  if (error instanceof StartError || error instanceof BackupError) {
    printProblem(error.message);
    return error.exitCode;
  }
  if (error instanceof ApiError) {
    printProblem([...new Set([error.message, ...fieldMessages(error.data)])].join(" "));
    return 1;
  }
  printProblem(formatErrorChain(error, defaultRedactor));
  return 1;
}

function fieldMessages(data: object): string[] {
  return Object.values(data).flatMap((problem) =>
    typeof problem?.message === "string" ? [problem.message] : [],
  );
}
