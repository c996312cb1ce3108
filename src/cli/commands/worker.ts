import { statSync } from "node:fs";
import Module from "node:module";
import { resolve } from "node:path";
import { setWorkerMode } from "../../app/worker/worker.ts";
import { escapeControls } from "../../lib/text/terminal-text.ts";
import { type Command, printProblem, UsageError } from "../command.ts";
import { findModuleProblem } from "../syntax-check.ts";

const exitFailure = 1;
const maxPort = 65_535;

export const worker: Command = {
  passesArguments: true,
  help: [
    "Usage: annex worker [--health-port <port>] <entry> [arguments]",
    "",
    "Runs the jobs of an application without listening on a port. The entry file is the one of the server: its",
    "app.start() opens the database and starts the scheduler, even if the option cron.run is false. app.attach() does",
    "the same; the program should not listen if app.isWorker is true. Options before the entry file belong to this",
    "command, the others to the application.",
    "",
    "  --health-port <port>  serve /api/health and /api/health/ready on this port of the option host",
    "",
    "SIGINT and SIGTERM start a graceful shutdown: running jobs have shutdown.graceMs to finish. Workers and servers",
    "share a PostgreSQL database. With SQLite, a data folder belongs to one process.",
    "",
    "Exit codes: 0 after a graceful shutdown, 1 if the application failed or did not call app.start(), 64 if the",
    "arguments are invalid, otherwise the exit codes of the application.",
    "",
    "  annex worker server.ts",
    "  annex worker --health-port 9091 dist/server.js",
  ].join("\n"),
  async run(args) {
    const { entry, healthPort, rest } = readArgs(args);
    let hasStarted = false;
    setWorkerMode({
      healthPort,
      onStart: () => {
        hasStarted = true;
      },
    });
    process.once("exit", (code) => {
      if (hasStarted || code !== 0) return;
      printProblem(`${escapeControls(entry)} ended without calling app.start(). ${needed}`);
      process.exitCode = exitFailure;
    });
    // In this process, so that signals, the process ID and the memory are those of the application.
    process.argv = [process.execPath, resolve(entry), ...rest];
    Module.runMain();
    return 0;
  },
};

const needed = "Specify the file that calls createApp(), and app.start() or app.attach().";

function readArgs(args: readonly string[]) {
  let healthPort: number | undefined;
  let index = 0;
  for (; args[index]?.startsWith("--"); index++) {
    const [name, value = args[++index]] = args[index]!.split("=");
    if (name !== "--health-port") throw new UsageError(`Unknown option "${name}".`);
    healthPort = Number(value?.trim() || Number.NaN);
    if (!Number.isInteger(healthPort) || healthPort < 0 || healthPort > maxPort)
      throw new UsageError(`--health-port must be an integer from 0 to ${maxPort}.`);
  }
  const [entry, ...rest] = args.slice(index);
  if (entry === undefined) throw new UsageError("Specify the application's entry file, such as server.ts.");
  const found = statSync(entry, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`File not found: ${entry}.`);
  if (!found.isFile()) throw new UsageError(`${entry} is not a file. Specify the application's entry file.`);
  const problem = findModuleProblem(entry);
  if (problem !== undefined) throw new UsageError(`${problem}.`);
  return { entry, healthPort, rest };
}
