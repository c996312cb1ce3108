import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { installPackedForProduction } from "./support/installed-package.ts";
import { createTestDatabase } from "./support/postgres.ts";
import { startProgram } from "./support/program.ts";

/**
 * The packed package in production, with nothing but the packages that npm installs with it: every feature is used once.
 * To try another version of Node, set `ANNEX_TEST_PACKAGE_NODE` to the path of its program.
 */
const execPath = process.env.ANNEX_TEST_PACKAGE_NODE ?? process.execPath;
const root = resolve(import.meta.dirname, "..");

const programs = {
  "server.mjs": `import * as annex from "annex";
import { useEveryFeature } from "./features.mjs";
await useEveryFeature(annex);`,
  "server.cjs": `const annex = require("annex");
import("./features.mjs").then(({ useEveryFeature }) => useEveryFeature(annex));`,
};

const expected = {
  route: 2,
  page: 200,
  error: 500,
  limited: [204, 429],
  upload: ["Ada", "five.txt", 5],
  events: "data: now",
  socket: "echo",
  versioned: [],
  document: ["/notes"],
  docs: 200,
  dashboard: 200,
  run: ["success", "Tidied"],
  logs: true,
  access: true,
  errors: true,

  data: Array(10).fill(200),
  prometheus: 200,
  ready: 200,
};

describe("the packed package in production", () => {
  let folder: string;
  let cli: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "annex-features-"));
    cli = join(await installPackedForProduction(folder), "dist/cli/bin.js");
    copyFileSync(join(import.meta.dirname, "package/features.mjs"), join(folder, "features.mjs"));
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const engine of ["SQLite", "PostgreSQL"])
    for (const [index, program] of Object.keys(programs).entries())
      it(`uses every feature on ${engine} with ${program}`, async (t) => {
        const data = join(folder, `${engine}-${index}`);
        const env: Record<string, string> = { NODE_ENV: "production", SVC_DATA_DIR: data };
        if (engine === "PostgreSQL") {
          const database = await createTestDatabase();
          t.after(() => database.drop());
          env.SVC_DATABASE_URL = database.url;
        }
        const server = startProgram(t, [program], { cwd: folder, env, execPath });
        const [results] = await server.says(/^\{"route".*\}$/m);
        assert.deepEqual(JSON.parse(results!), expected);
        if (engine === "SQLite") {
          const backup = startProgram(t, [cli, "backup", `${data}.tar.gz`], { cwd: folder, env, execPath });
          assert.deepEqual(await backup.ended, [0, null], backup.stderr);
          assert.ok(existsSync(`${data}.tar.gz`));
        }
        server.child.kill("SIGTERM");
        assert.deepEqual(await server.ended, [0, null], server.stderr);
        assert.equal(server.stderr, "");
      });

  it("restores a backup", async (t) => {
    const cwd = join(folder, "restored");
    mkdirSync(cwd);
    const args = [cli, "restore", join(folder, "SQLite-0.tar.gz"), "--data-dir", cwd];
    const restore = startProgram(t, args, { cwd, execPath });
    assert.deepEqual(await restore.ended, [0, null], restore.stderr);
    const list = startProgram(t, [cli, "superuser", "list", "--data-dir", cwd], { cwd, execPath });
    assert.deepEqual(await list.ended, [0, null], list.stderr);
    assert.match(list.stdout, /root@example\.com/);
  });

  it("runs a created application with annex dev, and documents it", async (t) => {
    const cwd = join(folder, "created");
    mkdirSync(join(cwd, "node_modules/@types"), { recursive: true });
    symlinkSync(join(root, "node_modules/@types/node"), join(cwd, "node_modules/@types/node"));
    const env = { SVC_PORT: "0", SVC_DATA_DIR: join(cwd, "data") };
    const run = (...args: string[]) => startProgram(t, [cli, ...args], { cwd, env, execPath });
    const created = run("init");
    assert.deepEqual(await created.ended, [0, null], created.stderr);
    const doctor = run("doctor", "src/server.ts");
    assert.deepEqual(await doctor.ended, [0, null], doctor.stderr);
    assert.match(doctor.stdout, /v1: 2 operations, all complete/);
    const dev = run("dev", "src/server.ts");
    const [, url] = await dev.says(/listening at (http:\S+?)["\s]/);
    assert.equal((await fetch(`${url}/api/v1/notes`)).status, 200);
    dev.child.kill("SIGTERM");
    await dev.ended;
  });
});
