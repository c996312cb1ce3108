/** Copies of the repository, in which mutants are planted. The working tree stays as it is. */
import { spawn } from "node:child_process";
import { cpSync, globSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { createTemporaryFolder } from "../../src/lib/testing/temporary-folder.ts";

export type Result = "passed" | "failed" | "deadline";

export interface Copy {
  write(file: string, source: string): void;
  run(test: string, deadlineMs: number): Promise<Result>;
}

/** Removed when the process ends. */
export function createCopy(root: string, files: readonly string[]): Copy {
  const folder = createTemporaryFolder();
  for (const file of files) cpSync(join(root, file), join(folder, file), { verbatimSymlinks: true });
  for (const packages of globSync(["node_modules", "{bench,tests}/*/node_modules"], { cwd: root }))
    link(join(root, packages), join(folder, packages));
  return {
    write: (file, source) => writeFileSync(join(folder, file), source),
    run: (test, deadlineMs) => run(folder, test, deadlineMs),
  };
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, "junction");
}

const options = ["--disable-warning=ExperimentalWarning", "--test-reporter=tap"];

const running = new Set<number>();
process.once("exit", () => {
  for (const pid of running) endGroup(pid);
});

/** A process group of its own, so that programs that the test has started end with it. */
function run(cwd: string, test: string, deadlineMs: number): Promise<Result> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [...options, test], {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...env, NODE_COMPILE_CACHE: join(cwd, ".compile-cache") },
  });
  if (child.pid !== undefined) running.add(child.pid);
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => resolve("deadline"), deadlineMs);
  // The first failure is enough: those after it may wait for minutes.
  createInterface(child.stdout).on("line", (line) => {
    if (/^\s*not ok /.test(line)) resolve("failed");
  });
  child.once("error", reject);
  child.once("exit", (code) => resolve(code === 0 ? "passed" : "failed"));
  return promise.finally(() => {
    clearTimeout(timer);
    endGroup(child.pid);
    running.delete(child.pid!);
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Everything has ended already.
  }
}
