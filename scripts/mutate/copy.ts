/** Copies of the repository, in which mutants are planted. The working tree stays as it is. */
import { spawn } from "node:child_process";
import { cpSync, globSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTemporaryFolder } from "../../src/lib/testing/temporary-folder.ts";

export interface Copy {
  write(file: string, source: string): void;
  /** Returns whether the test passes within the deadline. */
  passes(test: string, deadlineMs: number): Promise<"passed" | "failed" | "deadline">;
}

/** Removed when the process ends. */
export function createCopy(root: string, files: readonly string[]): Copy {
  const folder = createTemporaryFolder();
  for (const file of files) cpSync(join(root, file), join(folder, file), { verbatimSymlinks: true });
  for (const packages of globSync(["node_modules", "{bench,tests}/*/node_modules"], { cwd: root }))
    link(join(root, packages), join(folder, packages));
  return {
    write: (file, source) => writeFileSync(join(folder, file), source),
    passes: (test, deadlineMs) => run(folder, test, deadlineMs),
  };
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, "junction");
}

const running = new Set<number>();
process.once("exit", () => {
  for (const pid of running) endGroup(pid);
});

/** A process group of its own, so that programs that the test has started end with it. */
function run(cwd: string, test: string, deadlineMs: number): Promise<"passed" | "failed" | "deadline"> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", test], {
    cwd,
    detached: true,
    stdio: "ignore",
    env: { ...env, NODE_COMPILE_CACHE: join(cwd, ".compile-cache") },
  });
  if (child.pid !== undefined) running.add(child.pid);
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    endGroup(child.pid);
  }, deadlineMs);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      clearTimeout(timer);
      endGroup(child.pid);
      running.delete(child.pid!);
      resolve(isOver ? "deadline" : code === 0 ? "passed" : "failed");
    });
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Everything has ended already.
  }
}
