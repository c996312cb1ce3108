import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { extname, relative, resolve, sep } from "node:path";
import { resolveConfig } from "../app/config.ts";
import { restartMessage } from "../app/signals.ts";
import { escapeControls } from "../lib/terminal-text.ts";
import { type Command, print, UsageError } from "./command.ts";

const settleMs = 80;
/** Longer than a graceful stop may take. */
const stopTimeoutMs = 15_000;
const watchedExtensions = new Set([
  ".ts",
  ".tsx",
  ".mts",
  ".cts",
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
  ".json",
  ".env",
]);
const ignoredFolders = new Set(["node_modules", "dist", "coverage"]);

export const dev: Command = {
  name: "dev",
  summary: "run an application and restart it when a file changes",
  help: [
    "Usage: annex dev <entry> [arguments]",
    "",
    "Runs the file with Node and starts it again whenever a source file below this folder changes.",
    "The application is told that it is a restart (TerminateEvent.isRestart) and stops in good order first.",
    "",
    "  annex dev server.ts",
  ].join("\n"),
  async run([entry, ...args]) {
    if (entry === undefined) throw new UsageError("Say which file to run.");
    if (!existsSync(entry)) throw new UsageError(`There is no file ${entry}.`);
    return runAndRestart([entry, ...args]);
  },
};

async function runAndRestart(command: string[]): Promise<number> {
  let child = start(command);
  let isEnding = false;
  const changes = watchSources(process.cwd());
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      isEnding = true;
      // Ctrl-C reaches the child by itself; a signal to this process alone does not.
      if (signal === "SIGTERM") child.kill(signal);
      changes.close();
    });
  }
  for await (const file of changes) {
    if (isEnding) break;
    print(`\n  ${escapeControls(file)} changed, restarting\n`);
    await stop(child);
    child = start(command);
  }
  const code = await exitCode(child);
  return code ?? 1;
}

function start(command: string[]): ChildProcess {
  const child = spawn(process.execPath, command, { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  child.once("exit", (code) => {
    if (code !== 0 && code !== null)
      print(`\n  The application ended with code ${code}; it starts again when a file changes.\n`);
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

interface Changes extends AsyncIterable<string> {
  close(): void;
}

/** The names of changed source files; what changes at the same moment counts once. */
function watchSources(folder: string): Changes {
  const dataDir = resolveConfig().dataDir;
  const closing = new AbortController();
  const watcher = watch(folder, { recursive: true, signal: closing.signal });
  let wake: (() => void) | undefined;
  let changed: string | undefined;
  watcher.on("change", (_type, name) => {
    if (name === null || !isSource(resolve(folder, String(name)), folder, dataDir)) return;
    changed = String(name);
    setTimeout(() => wake?.(), settleMs);
  });
  return {
    close: () => {
      closing.abort();
      wake?.();
    },
    async *[Symbol.asyncIterator]() {
      while (!closing.signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        const file = changed;
        changed = undefined;
        if (file !== undefined) yield file;
      }
    },
  };
}

function isSource(path: string, folder: string, dataDir: string): boolean {
  if (path.startsWith(dataDir + sep)) return false;
  const parts = relative(folder, path).split(sep);
  if (parts.slice(0, -1).some((part) => ignoredFolders.has(part) || part.startsWith("."))) return false;
  return watchedExtensions.has(extname(path)) || parts.at(-1) === ".env";
}
