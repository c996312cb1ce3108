import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { until } from "../src/lib/testing/until.ts";
import { createFolder, type Program, startProgram } from "./support/program.ts";

const bin = resolve(import.meta.dirname, "../src/cli/bin.ts");
const index = JSON.stringify(new URL("../src/index.ts", import.meta.url).href);

/** An application that says which version of it is running. */
const application = (version: number) => `
  import { Readable } from "node:stream";
  import { createApp } from ${index};
  const app = createApp({ port: 0 });
  app.onServe(({ router }) => {
    router.get("/stream", (e) => {
      const body = new Readable({ read() {} });
      body.push("begin");
      return e.stream(200, "text/plain", body);
    });
  });
  app.onTerminate((e) => console.error("ending ${version}", e.isRestart));
  const { url } = await app.start();
  console.error("serving ${version}", url);
`;

/** A program without Annex starts faster. */
const plain = (version: number) => `console.error("serving ${version}"); setInterval(() => {}, 1000);
for (const event of ["message", "disconnect"]) process.on(event, () => process.exit());`;

function startDev(t: TestContext, files: Record<string, string>, env: Record<string, string> = {}) {
  const folder = createFolder(t);
  const path = (name: string) => join(folder, name);
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text);
  const program = startProgram(t, [bin, "dev", "server.ts"], {
    cwd: folder,
    env: { SVC_DATA_DIR: path("svc_data"), ...env },
  });
  return { program, path };
}

const restarts = ({ stdout }: Program) => stdout.match(/changed, restarting/g)?.length ?? 0;

/** As many editors and git do. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
}

describe("annex dev", () => {
  it("restarts the application when a source file changes", async (t) => {
    const { program, path } = startDev(t, { "server.ts": application(1) });
    await program.says(/serving 1/);
    mkdirSync(path("node_modules"));
    writeFileSync(path("node_modules/ignored.ts"), "");
    writeFileSync(path("notes.txt"), "ignored too");
    writeFileSync(path("server.ts"), application(2));
    await program.says(/serving 2/);
    assert.match(program.stderr, /ending 1 true/);
    assert.equal(restarts(program), 1);
    writeFileSync(path("server.ts"), "throw new Error('broken')");
    await program.says(/exited with code 1/);
    // In one step: a busy machine can show a file between truncating and writing, which are two changes.
    replaceFile(path("server.ts"), application(3));
    await program.says(/serving 3/);
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [0, null]);
    assert.match(program.stderr, /ending 3 false/);
    assert.ok(existsSync(path("svc_data/annex.db")));
  });

  it("notices every save, however the file is written", async (t) => {
    const { program, path } = startDev(t, { "server.ts": plain(1) });
    await program.says(/serving 1/);
    for (const version of [2, 3, 4]) {
      replaceFile(path("server.ts"), plain(version));
      await program.says(new RegExp(`serving ${version}`));
    }
    appendFileSync(path("server.ts"), 'console.error("appended");');
    await program.says(/appended/);
    replaceFile(path("server.ts"), plain(5));
    await program.says(/serving 5/);
  });

  it("notices new files and folders, renames, .env files and a change of branches", async (t) => {
    const { program, path } = startDev(t, { "server.ts": plain(1) });
    await program.says(/serving 1/);
    const untilRestarted = async (act: () => void) => {
      const before = restarts(program);
      act();
      await until("the application is restarted", () => restarts(program) > before);
    };
    await untilRestarted(() => {
      mkdirSync(path("lib/inner"), { recursive: true });
      writeFileSync(path("lib/inner/a.ts"), "export {};");
    });
    await untilRestarted(() => renameSync(path("lib/inner/a.ts"), path("lib/inner/b.ts")));
    await untilRestarted(() => writeFileSync(path(".env"), "A=1"));
    await untilRestarted(() => writeFileSync(path(".env.local"), "A=2"));
    await untilRestarted(() => rmSync(path("lib"), { recursive: true }));
    await untilRestarted(() => {
      mkdirSync(path("lib/inner"), { recursive: true });
      writeFileSync(path("lib/inner/a.ts"), "export {};");
    });
    await untilRestarted(() => replaceFile(path("lib/inner/a.ts"), "export const a = 1;"));
  });

  it("notices a save while another file of the folder is written all the time", async (t) => {
    const { program, path } = startDev(t, { "server.ts": plain(1) });
    await program.says(/serving 1/);
    const writing = setInterval(() => appendFileSync(path("app.log"), "line\n"), 10);
    t.after(() => clearInterval(writing));
    writeFileSync(path("server.ts"), plain(2));
    await program.says(/serving 2/);
  });

  it("keeps the old process while a file has a syntax error, and shows it", async (t) => {
    const { program, path } = startDev(t, { "server.ts": plain(1), "other.ts": "export {};" });
    await program.says(/serving 1/);
    writeFileSync(path("server.ts"), "const a = 1;\nconst = 2;\n");
    await program.says(/server\.ts:2:7: .+\n\n {2}Not restarted because of the syntax error\./);
    writeFileSync(path("other.ts"), "export const other = 1;");
    await until("the error is shown again", () => (program.stdout.match(/Not restarted/g)?.length ?? 0) > 1);
    assert.equal(restarts(program), 0);
    writeFileSync(path("server.ts"), plain(2));
    await program.says(/serving 2/);
  });

  it("says what to change if package.json makes the entry CommonJS", async (t) => {
    const files = { "package.json": '{ "type": "commonjs" }', "server.ts": 'import "node:fs";' };
    // The tests' own options name a loader, which could run it.
    const { program } = startDev(t, files, { NODE_OPTIONS: "" });
    assert.deepEqual(await program.ended, [64, null]);
    assert.match(
      program.stderr,
      /server\.ts uses import or export, but package\.json has "type": "commonjs"\. Run "npm pkg set type=module", or use a loader/,
    );
  });

  it("does not wait for open streams", async (t) => {
    const { program, path } = startDev(t, { "server.ts": application(1) });
    const [, url] = await program.says(/serving 1 (\S+)/);
    const response = await fetch(`${url}/stream`);
    const reader = response.body!.getReader();
    await reader.read();
    writeFileSync(path("server.ts"), application(2));
    await assert.rejects(reader.read());
    await program.says(/serving 2/);
    assert.match(program.stderr, /ending 1 true/);
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [0, null]);
  });
});
