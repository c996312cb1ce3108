import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Progress, progressVariable, type Task, taskVariable } from "../app/tasks/task.ts";
import { escapeControls } from "../lib/text/terminal-text.ts";
import { moduleBeside } from "../lib/worker/threads.ts";
import { printProblem, UsageError } from "./command.ts";
import { findModuleProblem } from "./syntax-check.ts";

/** Time within which the application must call `app.start()`. */
const patienceMs = 60_000;

/** A child process of the application may keep the pipe open. */
const drainMs = 1_000;

const exitFailure = 1;

/** The first file descriptor after the standard ones. */
const progressFile = 3;

/**
 * Runs the task in the application, in a separate process. Resolves with the exit code. If the task did not complete,
 * this is a failure regardless of the exit code of that process, and standard error shows the reason.
 */
export async function runInApplication(entry: string, task: Task): Promise<number> {
  const found = statSync(entry, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`File not found: ${entry}.`);
  if (!found.isFile()) throw new UsageError(`${entry} is not a file. Specify the application's entry file.`);
  const problem = findModuleProblem(entry);
  if (problem !== undefined) throw new UsageError(`${problem}.`);
  const preload = fileURLToPath(moduleBeside(import.meta.url, "task-preload"));
  // With --import, Node would load the entry as an ES module and bypass the require hooks of ts-node and others.
  const child = spawn(process.execPath, ["--require", preload, entry], {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: {
      ...process.env,
      [taskVariable]: JSON.stringify(task),
      [progressVariable]: String(progressFile),
    },
  });
  const outcome = await follow(child);
  if (outcome.progress === "done") return outcome.code;
  printProblem(`${escapeControls(entry)} ${explain(outcome)}`);
  return exitFailure;
}

interface Outcome {
  readonly progress: Progress | undefined;
  readonly code: number;
  /** Whether the process was killed because it did not start in time. */
  readonly isLate: boolean;
}

/** Waits for the process to exit. Only the start has a deadline: analyzing a large application may take long. */
async function follow(child: ChildProcess): Promise<Outcome> {
  let progress: Progress | undefined;
  let isLate = false;
  const giveUp = setTimeout(() => {
    isLate = child.kill("SIGKILL");
  }, patienceMs);
  (child.stdio[progressFile] as Readable).setEncoding("utf8").on("data", (text: string) => {
    clearTimeout(giveUp);
    progress = text.includes("done") ? "done" : "begun";
  });
  const closed = once(child, "close");
  const [code] = (await once(child, "exit")) as [number | null];
  clearTimeout(giveUp);
  await Promise.race([closed, delay(drainMs, undefined, { ref: false })]);
  return { progress, code: code ?? exitFailure, isLate };
}

function explain({ progress, code, isLate }: Outcome): string {
  if (progress === "begun") return "failed to start. Fix the error above and try again.";
  if (isLate) return `did not call app.start() within ${patienceMs / 1_000} seconds. ${needed}`;
  if (code !== 0)
    return `exited with code ${code} before it called app.start(). Fix the error above and try again.`;
  return `exited without calling app.start(). ${needed}`;
}

const needed = "Specify the file that calls createApp(), and app.start() or app.attach().";
