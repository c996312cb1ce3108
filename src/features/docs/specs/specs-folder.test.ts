import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";
import { type Files, findSpecsFolder, type Program } from "./specs-folder.ts";

/** A file system with these files. Folders exist if they contain one. */
function createFiles(system: "posix" | "win32", names: readonly string[]): Files {
  const { sep } = path[system];
  return {
    path: path[system],
    isFile: (name) => names.includes(name),
    isFolder: (name) => names.some((each) => each.startsWith(name + sep)),
  };
}

interface Case extends Program {
  readonly files: readonly string[];
  readonly folder: string;
}

const app = ["/srv/app/package.json", "/srv/app/dist/specs/v1.json"];
/** Folders of others, which must not be used. */
const neighbours = [
  ...["/specs/checks.cjs", "/srv/specs/checks.cjs", "/srv/app/specs/checks.cjs", "/usr/bin/specs/checks.cjs"],
  "/srv/app/node_modules/runner/package.json",
  "/srv/app/node_modules/runner/specs/checks.cjs",
  "/srv/app/node_modules/lib/package.json",
  "/srv/app/node_modules/lib/specs/checks.cjs",
];
const built = [...app, ...neighbours];
const server = "/srv/app/dist/server.js";
const own = "/srv/app/dist/specs";

const cases: Record<string, Case> = {
  "the entry calls createApp": { files: built, entry: server, caller: server, folder: own },
  "a module below the entry calls it": {
    ...{ files: built, entry: server, caller: "/srv/app/dist/http/create.js", folder: own },
  },
  "the caller is unknown": { files: built, entry: server, caller: undefined, folder: own },
  "the entry is unknown": { files: built, entry: undefined, caller: server, folder: own },
  "a module below the build calls it, and the entry is unknown": {
    ...{ files: built, entry: undefined, caller: "/srv/app/dist/http/create.js", folder: own },
  },
  "an entry outside the build loads it": {
    ...{ files: built, entry: "/srv/app/bin/www.js", caller: server, folder: own },
  },
  "an entry above the build loads it": {
    ...{ files: app, entry: "/srv/app/main.js", caller: "/srv/app/dist/http/create.js", folder: own },
  },
  "a runner loads the build": {
    ...{ files: built, entry: "/srv/app/node_modules/runner/cli.js", caller: server, folder: own },
  },
  "a library creates the application": {
    ...{ files: built, entry: server, caller: "/srv/app/node_modules/lib/create.js", folder: own },
  },
  "a linked library of a workspace creates it": {
    files: [...built, "/srv/lib/package.json"],
    ...{ entry: server, caller: "/srv/lib/dist/create.js", folder: own },
  },
  "the application is installed, and another program loads it": {
    files: [...neighbours, "/srv/app/package.json", "/srv/app/node_modules/lib/dist/specs/v1.json"],
    entry: "/srv/app/node_modules/lib/bin/cli.js",
    caller: "/srv/app/node_modules/lib/dist/server.js",
    folder: "/srv/app/node_modules/lib/dist/specs",
  },
  "there is no build": {
    ...{ files: [...neighbours, "/srv/app/package.json"], entry: server, caller: server, folder: own },
  },
  "there is neither a build nor an entry": {
    ...{ files: [...neighbours, "/srv/app/package.json"], entry: undefined, caller: server, folder: own },
  },
  "there is no package": {
    ...{ files: neighbours, entry: "/opt/run.js", caller: "/srv/x/a/server.js", folder: "/srv/x/a/specs" },
  },
};

const windowsCases: Record<string, Case> = {
  "the entry calls createApp": {
    files: ["C:\\app\\package.json", "C:\\app\\dist\\specs\\v1.json", "C:\\app\\specs\\v1.json"],
    ...{ entry: "C:\\app\\dist\\server.js", caller: "C:\\app\\dist\\server.js" },
    folder: "C:\\app\\dist\\specs",
  },
  "a module below the entry calls it": {
    files: ["C:\\app\\package.json", "C:\\app\\dist\\specs\\v1.json", "C:\\app\\specs\\v1.json"],
    ...{ entry: "C:\\app\\dist\\server.js", caller: "C:\\app\\dist\\http\\create.js" },
    folder: "C:\\app\\dist\\specs",
  },
  "an entry on another drive loads the build": {
    files: ["C:\\app\\package.json", "C:\\app\\dist\\specs\\v1.json", "D:\\tools\\package.json"],
    ...{ entry: "D:\\tools\\run.js", caller: "C:\\app\\dist\\http\\create.js" },
    folder: "C:\\app\\dist\\specs",
  },
  "a runner loads the build": {
    files: ["C:\\app\\package.json", "C:\\npm\\node_modules\\pm2\\specs\\v1.json"],
    ...{ entry: "C:\\npm\\node_modules\\pm2\\fork.js", caller: "C:\\app\\dist\\server.js" },
    folder: "C:\\app\\dist\\specs",
  },
};

describe("the folder of the API documents", () => {
  for (const [title, { files, folder, ...program }] of Object.entries(cases))
    it(`if ${title}`, () => assert.equal(findSpecsFolder(program, createFiles("posix", files)), folder));
  for (const [title, { files, folder, ...program }] of Object.entries(windowsCases))
    it(`on Windows, if ${title}`, () =>
      assert.equal(findSpecsFolder(program, createFiles("win32", files)), folder));
});
