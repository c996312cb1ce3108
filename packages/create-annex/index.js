#!/usr/bin/env node
/**
 * `npm create annex my-app`: makes the folder, installs Annex, and lets `annex init` write the application, so that the
 * application always fits the installed release.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || folder.startsWith("-") || rest.length > 0) {
  console.error("Usage: npm create annex <folder>");
  process.exit(64);
}
const target = resolve(folder);
if (existsSync(target) && readdirSync(target).length > 0) {
  console.error(`create-annex: The folder ${folder} is not empty. Run "npx annex init" in it instead.`);
  process.exit(1);
}

/** The package manager that runs this, or npm. */
const [manager = "npm"] = /^\w+/.exec(process.env.npm_config_user_agent ?? "") ?? [];
/** Another source of the package, for tests: a packed tarball. */
const annex = process.env.CREATE_ANNEX_PACKAGE ?? "annex";

mkdirSync(target, { recursive: true });
writeFileSync(join(target, "package.json"), '{ "type": "module" }\n');
run(manager, manager === "npm" ? "install" : "add", annex);
run(process.execPath, join(target, "node_modules/annex/dist/cli/bin.js"), "init");
run(manager, "install");
console.log(`\nDone. Now run:\n\n  cd ${relative(process.cwd(), target) || "."}\n  ${manager} run dev\n`);

function run(command, ...args) {
  const { status, error } = start(command, args);
  if (status === 0) return;
  console.error(`create-annex: ${[command, ...args].join(" ")} failed${error ? `: ${error.message}` : ""}.`);
  process.exit(1);
}

function start(command, args) {
  const options = { cwd: target, stdio: "inherit" };
  const isProgram = process.platform !== "win32" || command === process.execPath;
  if (isProgram) return spawnSync(command, args, options);
  // Package managers are scripts on Windows, which need a shell. It receives one line.
  const line = [command, ...args.map((text) => `"${text}"`)].join(" ");
  return spawnSync(line, { ...options, shell: true });
}
