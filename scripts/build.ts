/** Builds `dist/` from `src/`: the bundled code, the declarations, and the files that the code reads at run time. */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildWeb } from "./build-web.ts";
import { bundle } from "./bundle.ts";
import { addDeclarations, removeUnreachable } from "./declarations.ts";

const root = join(import.meta.dirname, "..");
process.chdir(root);

rmSync("dist", { recursive: true, force: true });
execFileSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit", shell: process.platform === "win32" });
removeUnreachable("dist");
addDeclarations("dist");
await bundle("dist");
for (const asset of globSync("src/**/*.{cjs,css,svg,br,txt}")) cpSync(asset, asset.replace(/^src/, "dist"));
await buildWeb({ always: true });
cpSync("web/dist/dashboard", "dist/features/dashboard/client", { recursive: true });
cpSync("web/dist/docs", "dist/features/docs/ui/client", { recursive: true });
chmodSync("dist/cli/bin.js", 0o755);
