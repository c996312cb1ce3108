import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { settles } from "../../lib/testing/until.ts";
import type { DatabaseOptions } from "../index.ts";

export interface TestProcess {
  readonly pid: number;
  /** The next line of output; undefined at the end. */
  readLine(): Promise<string | undefined>;
  writeLine(): void;
  /** Resolves with the exit code or the name of the signal. */
  readonly end: Promise<number | string>;
  kill(): void;
}

/** Runs a part of `program.ts` in a separate process, which ends with the test. */
export function startProcess(t: TestContext, part: string, options: DatabaseOptions): TestProcess {
  const program = fileURLToPath(new URL("program.ts", import.meta.url));
  const child = spawn(process.execPath, [program, part, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const kill = () => void child.kill("SIGKILL");
  t.after(kill);
  return {
    pid: child.pid!,
    readLine: async () => (await settles("the process prints a line", lines.next())).value,
    writeLine: () => void child.stdin.write("\n"),
    end: once(child, "exit").then(([code, signal]) => code ?? signal),
    kill,
  };
}
