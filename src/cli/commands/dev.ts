import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { resolveConfig } from "../../app/config/config.ts";
import { restartMessage } from "../../app/signals.ts";
import { escapeControls } from "../../lib/text/terminal-text.ts";
import { type Command, print, UsageError } from "../command.ts";
import { SourceWatch } from "../source-watch.ts";
import { findModuleProblem, findSyntaxError } from "../syntax-check.ts";

/** Longer than a graceful shutdown takes. */
const stopTimeoutMs = 15_000;

export const dev: Command = {
  passesArguments: true,
  help: [
    "Usage: annex dev <entry> [arguments]",
    "",
    "Runs the file with Node and restarts it when a source file or .env file below the current folder changes.",
    "The old process shuts down first (TerminateEvent.isRestart is true) and closes open connections after half a",
    "second.",
    "While a changed file has a syntax error, the old process keeps running.",
    "",
    "  annex dev server.ts",
  ].join("\n"),
  async run([entry, ...args]) {
    if (entry === undefined) throw new UsageError("Specify the file to run.");
    if (!existsSync(entry)) throw new UsageError(`File not found: ${entry}.`);
    const problem = findModuleProblem(entry);
    if (problem !== undefined) throw new UsageError(`${problem}.`);
    return runAndRestart([entry, ...args]);
  },
};

async function runAndRestart(command: string[]): Promise<number> {
  let child = start(command);
  let isEnding = false;
  const watch = new SourceWatch(process.cwd(), resolveConfig().server.dataDir);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      isEnding = true;
      // The terminal sends Ctrl-C to the child too; a signal to this process alone does not reach it.
      if (signal === "SIGTERM") child.kill(signal);
      watch.close();
    });
  }
  let unchecked: readonly string[] = [];
  for await (const files of watch.changes()) {
    if (isEnding) break;
    unchecked = [...new Set([...unchecked, ...files])];
    const errors = unchecked.flatMap((file) => findSyntaxError(file) ?? []);
    if (errors.length > 0) {
      print(
        `\n  ${errors.map(escapeControls).join("\n  ")}\n\n  Not restarted because of the syntax error.\n`,
      );
      continue;
    }
    unchecked = [];
    print(`\n  ${describeFiles(files)} changed, restarting\n`);
    await stop(child);
    if (isEnding) break;
    child = start(command);
  }
  const code = await exitCode(child);
  return code ?? 1;
}

function describeFiles([first = "", ...others]: readonly string[]): string {
  return escapeControls(others.length > 0 ? `${first} and ${others.length} more` : first);
}

function start(command: string[]): ChildProcess {
  const child = spawn(process.execPath, command, { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  child.once("exit", (code) => {
    if (code !== 0 && code !== null)
      print(`\n  The application exited with code ${code}. It restarts when a file changes.\n`);
  });
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  const giveUp = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
  child.send(restartMessage, () => {});
  await exited;
  clearTimeout(giveUp);
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}
