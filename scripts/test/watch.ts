/** Repeats a quick run whenever a file is saved. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SourceWatch } from "../../src/cli/source-watch.ts";

const root = join(import.meta.dirname, "../..");

/**
 * Each run is a process of its own, with `args` or, if `args` names no tests, with the files that were saved. Files
 * that are saved during a run wait for its end.
 */
export async function watchAndRun(args: readonly string[], namesTests: boolean): Promise<void> {
  const excluded = ["tests/golden", "bench/results", "web/dist"].map((path) => join(root, path));
  const watch = new SourceWatch(root, excluded);
  await start(namesTests ? args : [...args, "--changed"]);
  for await (const saved of watch.changes()) {
    const files = saved.filter((file) => existsSync(join(root, file)));
    if (files.length > 0) await start(namesTests ? args : [...args, ...files]);
  }
}

async function start(args: readonly string[]): Promise<void> {
  const main = join(import.meta.dirname, "main.ts");
  const child = spawn(process.execPath, [...process.execArgv, main, ...args], {
    cwd: root,
    stdio: "inherit",
  });
  // Ctrl-C reaches both processes.
  const endBoth = async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
    process.exit(143);
  };
  process.once("SIGTERM", endBoth);
  await once(child, "exit");
  process.off("SIGTERM", endBoth);
  console.log("Waiting until a file is saved. Ctrl-C ends.");
}
