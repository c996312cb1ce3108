import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createFolder, startProgram } from "./support/program.ts";

const creator = resolve(import.meta.dirname, "../packages/create-annex/index.js");

/** Stands for the package manager, or for the shell that starts it: notes its arguments and installs a command. */
const note = `#!/bin/sh
{ printf '%s|' "\${0##*/}" "$@"; echo; } >> "$NOTES"
mkdir -p node_modules/annex/dist/cli
echo 'require("node:fs").appendFileSync(process.env.NOTES, process.argv.slice(2).join() + require("node:os").EOL);' > node_modules/annex/dist/cli/bin.js
`;

/** Runs it with a Node in a folder with a space and parentheses, as on Windows. */
async function create(t: TestContext, platform: NodeJS.Platform) {
  const folder = createFolder(t);
  const tools = join(folder, "Program Files (x86)");
  mkdirSync(tools);
  symlinkSync(process.execPath, join(tools, "node"));
  for (const name of ["npm", "cmd"]) {
    writeFileSync(join(tools, name), note);
    chmodSync(join(tools, name), 0o755);
  }
  const preload = join(folder, "platform.cjs");
  writeFileSync(
    preload,
    `Object.defineProperty(process, "platform", { value: "${platform}" });
    Object.defineProperty(process, "execPath", { value: process.argv0 });`,
  );
  const notes = join(folder, "notes.txt");
  const program = startProgram(t, ["--require", preload, creator, "my app"], {
    cwd: folder,
    execPath: join(tools, "node"),
    env: {
      PATH: [tools, process.env.PATH].join(delimiter),
      NOTES: notes,
      comspec: join(tools, "cmd"),
      npm_config_user_agent: "npm/11",
      CREATE_ANNEX_PACKAGE: join(folder, "a b.tgz"),
    },
  });
  assert.deepEqual(await program.ended, [0, null], program.stderr);
  assert.equal(program.stderr, "");
  assert.match(program.stdout, /cd my app\n {2}npm run dev/);
  return readFileSync(notes, "utf8").replaceAll(`${folder}/`, "").trimEnd().split("\n");
}

describe("npm create annex", () => {
  it("installs the package, and lets it write the application", async (t) => {
    assert.deepEqual(await create(t, "linux"), ["npm|install|a b.tgz|", "init", "npm|install|"]);
  });

  it("starts the package manager by a shell on Windows, but not Node, whose path has spaces", async (t) => {
    assert.deepEqual(await create(t, "win32"), [
      'cmd|-c|npm "install" "a b.tgz"|',
      "init",
      'cmd|-c|npm "install"|',
    ]);
  });
});
