/** Checks the types of every project: `npm run types`. Stops at the first one with an error. */
import { spawnSync } from "node:child_process";

// TypeScript is written in Go. With the default of 100, its garbage collector takes a third of the CPU time.
process.env.GOGC ??= "400";

for (const project of [".", "web", "examples/nest"]) {
  const { status, error } = spawnSync("tsc", ["--noEmit", "-p", project], {
    cwd: `${import.meta.dirname}/..`,
    stdio: "inherit",
    // npm starts programs by a script on Windows.
    shell: process.platform === "win32",
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
