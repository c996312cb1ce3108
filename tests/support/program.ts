import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { Cleanup } from "../../src/lib/testing/share.ts";
import { createTemporaryFolder } from "../../src/lib/testing/temporary-folder.ts";
import { settles } from "../../src/lib/testing/until.ts";

/** A program that a test started, with all it has said so far. */
export interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves with the match when the output, both streams together, has one. Fails after three minutes. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** The exit code and the signal that ended it. Reading it waits three minutes at most. */
  readonly ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
}

export interface ProgramOptions {
  env?: Record<string, string>;
  cwd?: string;
  input?: string;
  execPath?: string;
  /** With a channel for messages, as process managers have one. */
  ipc?: boolean;
  /** Another user to run as; only root may do that. */
  user?: { uid: number; gid: number };
}

/** Runs Node with these arguments; the process is gone when the test is. */
export function startProgram(
  t: Cleanup,
  args: string[],
  { env = {}, cwd, input, execPath, ipc = false, user }: ProgramOptions = {},
): Program {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const child = spawn(execPath ?? process.execPath, args, {
    env: { ...inherited, ...env },
    stdio: ["pipe", "pipe", "pipe", ...(ipc ? (["ipc"] as const) : [])],
    ...(cwd && { cwd }),
    ...user,
  }) as ChildProcessWithoutNullStreams;
  let stdout = "";
  let stderr = "";
  const waiting = new Set<() => void>();
  const heard = () => {
    for (const check of waiting) check();
  };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    heard();
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
    heard();
  });
  child.stdin.end(input ?? "");
  const ended = once(child, "close") as Program["ended"];
  t.after(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    child,
    get ended() {
      return settles(`node ${args.join(" ").slice(0, 200)} ends`, ended);
    },
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
    says(pattern) {
      const said = new Promise<RegExpExecArray>((resolve, reject) => {
        const check = () => {
          const match = pattern.exec(stdout + stderr);
          if (!match) return;
          waiting.delete(check);
          resolve(match);
        };
        waiting.add(check);
        check();
        ended.then(() =>
          reject(new Error(`The program ended without saying ${pattern}:\n${stdout}\n${stderr}`)),
        );
      });
      return settles(() => `the program prints ${pattern}, not only:\n${stdout}\n${stderr}`, said);
    },
  };
}

/** An empty folder, which is removed when the process of the test file ends. */
export function createFolder(_t: Cleanup): string {
  return createTemporaryFolder();
}

const publicNames = new URL("../../src/index.ts", import.meta.url).href;

/** Runs a program given as its source, with everything of Annex in scope as `annex`. */
export function startSource(t: Cleanup, source: string, options?: ProgramOptions): Program {
  const whole = `import * as annex from ${JSON.stringify(publicNames)};\n${source}`;
  return startProgram(t, ["--input-type=module", "--eval", whole], options);
}
