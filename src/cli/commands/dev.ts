import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { clientsVariable, resolveConfig } from "../../app/config/config.ts";
import { listStopSignals, restartMessage } from "../../app/signals.ts";
import type { ClientTarget } from "../../features/docs/index.ts";
import { escapeControls } from "../../lib/text/terminal-text.ts";
import { type Command, print, UsageError } from "../command.ts";
import { SourceWatch } from "../source-watch.ts";
import { findModuleProblem, findSyntaxError } from "../syntax-check.ts";

/** Longer than a graceful shutdown takes. */
const stopTimeoutMs = 15_000;

export const dev: Command = {
  passesArguments: true,
  help: [
    "Usage: annex dev [--client [<version>=]<file>] <entry> [arguments]",
    "",
    "Runs the file with Node and restarts it when a source file or .env file below the current folder changes.",
    "The old process shuts down first (TerminateEvent.isRestart is true) and closes open connections after half a",
    "second.",
    "While a changed file has a syntax error, the old process keeps running.",
    "",
    "  --client [<version>=]<file>  write a typed client of the API to the file, and update it when the API changes.",
    "                               The version is needed if there are several. The option can be repeated.",
    "",
    "  annex dev server.ts",
    "  annex dev --client v1=web/src/api-client.ts server.ts",
  ].join("\n"),
  async run(args) {
    const { clients, command } = readArgs(args);
    const [entry] = command;
    if (entry === undefined) throw new UsageError("Specify the file to run.");
    if (!existsSync(entry)) throw new UsageError(`File not found: ${entry}.`);
    const problem = findModuleProblem(entry);
    if (problem !== undefined) throw new UsageError(`${problem}.`);
    return runAndRestart(command, clients);
  },
};

/** The arguments before the entry belong to this command, the others to the application. */
function readArgs(args: readonly string[]): { clients: ClientTarget[]; command: string[] } {
  const clients: ClientTarget[] = [];
  let index = 0;
  for (; args[index]?.startsWith("--"); index++) {
    const [, name, inline] = /^(--[^=]*)(?:=(.*))?$/s.exec(args[index]!)!;
    if (name !== "--client") throw new UsageError(`Unknown option "${name}".`);
    const value = inline ?? args[++index];
    if (!value) throw new UsageError("--client needs a file, such as src/api-client.ts.");
    clients.push(parseTarget(value));
  }
  return { clients, command: args.slice(index) };
}

/** `v1=src/api-client.ts`, or the file alone. */
function parseTarget(value: string): ClientTarget {
  const [, version, file] = /^(?:([^=/\\]+)=)?(.*)$/s.exec(value)!;
  if (!file) throw new UsageError("--client needs a file, such as src/api-client.ts.");
  return { file: resolve(file), version };
}

async function runAndRestart(command: string[], clients: readonly ClientTarget[]): Promise<number> {
  const start = () => startProcess(command, clients);
  let child = start();
  let isEnding = false;
  // A restart would not change a generated file.
  const excluded = [resolveConfig().server.dataDir, ...clients.map(({ file }) => file)];
  const watch = new SourceWatch(process.cwd(), excluded);
  for (const signal of listStopSignals()) {
    process.on(signal, () => {
      isEnding = true;
      // The child receives the signals of a terminal too, and on Windows there are no others. A signal to this process
      // alone does not reach it.
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
    child = start();
  }
  const code = await exitCode(child);
  return code ?? 1;
}

function describeFiles([first = "", ...others]: readonly string[]): string {
  return escapeControls(others.length > 0 ? `${first} and ${others.length} more` : first);
}

function startProcess(command: string[], clients: readonly ClientTarget[]): ChildProcess {
  const child = spawn(process.execPath, command, {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    ...(clients.length > 0 && { env: { ...process.env, [clientsVariable]: JSON.stringify(clients) } }),
  });
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
