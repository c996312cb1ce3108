/** Compiles `src/` into `dist/`, and puts beside the code the files that it reads at run time. */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
process.chdir(root);

rmSync("dist", { recursive: true, force: true });
execFileSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit", shell: process.platform === "win32" });
for (const asset of globSync("src/**/*.{css,svg}")) cpSync(asset, asset.replace(/^src/, "dist"));
chmodSync("dist/cli/bin.js", 0o755);
