import assert from "node:assert/strict";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createFolder, startProgram } from "./support/program.ts";

const library = JSON.stringify(resolve(import.meta.dirname, "../src/index.ts"));

/** Loads the checks of its build, which print their owner. */
const server = `import { checked, createApp } from ${library};
const app = createApp({ signals: false, logLevel: "error", log: { store: false } });
app.onServe(({ router }) => router.post("/notes", (e) => e.json(200, {})).bind(checked()));
await app.inject({ url: "/" });
await app.stop();
`;

const checksOf = (owner: string) =>
  `// Generated\n// Sources: {}\nconsole.log("checks of ${owner}");\nexports.routes = { "POST /notes": {} };\n`;

/** What PM2 runs: it loads the program, which then looks as if it was started directly. */
const wrapper = (setsArgument: boolean) => `
${setsArgument ? "process.argv[1] = process.env.pm_exec_path;" : ""}
import(require("node:url").pathToFileURL(process.env.pm_exec_path).href);
`;

/** The folders around a build that contain checks of others. */
const neighbours = [".", "parent", "parent/app", "parent/bin", "parent/app/node_modules/.bin", "elsewhere"];

const files: Readonly<Record<string, string>> = {
  "parent/app/package.json": '{ "name": "app", "type": "module", "main": "dist/server.js" }',
  "parent/app/dist/server.js": server,
  "parent/app/dist/specs/checks.cjs": checksOf("the build"),
  "parent/app/dist/index.js": 'import "./server.js";',
  "parent/app/dist/setup.js": "",
  "parent/app/dist/http/create.js": server,
  "parent/app/dist/main.js": 'import "./http/create.js";',
  "parent/app/bin/www.js": 'import "../dist/server.js";',
  "parent/app/thread.js":
    'import { Worker } from "node:worker_threads"; new Worker(new URL("./dist/server.js", import.meta.url));',
  "parent/app/node_modules/pm2/fork.cjs": wrapper(true),
  "parent/app/node_modules/pm2/plain.cjs": wrapper(false),
  "elsewhere/other.js": "",
  ...Object.fromEntries(
    neighbours.map((folder) => [`${folder}/specs/checks.cjs`, checksOf("another program")]),
  ),
};

function createPlace(t: TestContext): string {
  const root = createFolder(t);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const link = (target: string, path: string) => symlinkSync(join(root, target), join(root, path));
  link("parent/app/dist/server.js", "parent/bin/app-link");
  link("parent/app/dist/server.js", "parent/bin/server.js");
  link("parent/app", "parent/current");
  // An installed package, as npm links its bin.
  cpSync(join(root, "parent/app/dist"), join(root, "parent/app/node_modules/myapp/dist"), {
    recursive: true,
  });
  cpSync(join(root, "parent/app/package.json"), join(root, "parent/app/node_modules/myapp/package.json"));
  symlinkSync("../myapp/dist/server.js", join(root, "parent/app/node_modules/.bin/myapp"));
  return root;
}

interface Way {
  readonly args: readonly string[];
  /** Default: parent/app. */
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

const ways: Readonly<Record<string, Way>> = {
  "node .": { args: ["."] },
  "node dist": { args: ["dist"] },
  "node dist/server.js": { args: ["dist/server.js"] },
  "node dist/server, without the extension": { args: ["dist/server"] },
  "node dist/main.js, which imports the module that calls createApp": { args: ["dist/main.js"] },
  "node of the folder from its parent": { args: ["app"], cwd: "parent" },
  "a link to the file": { args: ["../bin/server.js"] },
  "a link to the file without an extension": { args: ["bin/app-link"], cwd: "parent" },
  "a link to the folder": { args: ["current"], cwd: "parent" },
  "the file below a link to the folder": { args: ["current/dist/server.js"], cwd: "parent" },
  "the bin of an installed package": { args: ["node_modules/.bin/myapp"] },
  "a program outside the build": { args: ["bin/www.js"] },
  "--import of another module": { args: ["--import", "./dist/setup.js", "dist/server.js"] },
  "--import of the program": {
    args: ["--import", "../parent/app/dist/server.js", "other.js"],
    cwd: "elsewhere",
  },
  "--eval, with an argument that is another program": {
    args: ["--eval", 'import("./dist/server.js")', "../../elsewhere/other.js"],
  },
  "the wrapper of PM2": {
    args: ["node_modules/pm2/fork.cjs"],
    env: { pm_exec_path: "dist/server.js" },
  },
  "a wrapper that leaves process.argv": {
    args: ["node_modules/pm2/plain.cjs"],
    env: { pm_exec_path: "dist/server.js" },
  },
  "a thread": { args: ["thread.js"] },
  "another working directory": { args: ["../parent/app/dist/server.js"], cwd: "elsewhere" },
};

describe("a program finds the checks of its build, and loads no others", { concurrency: 4 }, () => {
  for (const [title, { args, cwd = "parent/app", env = {} }] of Object.entries(ways)) {
    it(`started with ${title}`, async (t) => {
      const root = createPlace(t);
      const path = env.pm_exec_path;
      const program = startProgram(t, [...args], {
        cwd: join(root, cwd),
        env: {
          ...(path !== undefined && { pm_exec_path: join(root, cwd, path) }),
          NODE_ENV: "production",
          SVC_DATA_DIR: join(root, "data"),
        },
      });
      assert.deepEqual(await program.ended, [0, null], program.stderr);
      assert.equal(program.stdout, "checks of the build\n");
    });
  }

  it("refuses to start without a build, and names the folder beside the entry", async (t) => {
    const root = createFolder(t);
    mkdirSync(join(root, "specs"));
    mkdirSync(join(root, "app/dist"), { recursive: true });
    writeFileSync(join(root, "specs/checks.cjs"), checksOf("another program"));
    writeFileSync(join(root, "app/package.json"), '{ "type": "module", "main": "dist/server.js" }');
    writeFileSync(join(root, "app/dist/server.js"), server);
    const env = { NODE_ENV: "production", SVC_DATA_DIR: join(root, "data") };
    const program = startProgram(t, ["."], { cwd: join(root, "app"), env });
    assert.deepEqual(await program.ended, [78, null]);
    assert.equal(program.stdout, "");
    assert.match(program.stderr, /\/app\/dist\/specs contains no checks\.cjs/);
  });

  it("refuses a folder that does not exist, once", async (t) => {
    const root = createPlace(t);
    const specs = join(root, "absent");
    const env = { NODE_ENV: "production", SVC_DATA_DIR: join(root, "data"), SVC_OPENAPI_SPECS_DIR: specs };
    const program = startProgram(t, ["."], { cwd: join(root, "parent/app"), env });
    assert.deepEqual(await program.ended, [78, null]);
    assert.equal(
      program.stderr,
      `annex: Invalid value for SVC_OPENAPI_SPECS_DIR: ${specs} does not exist. Run annex build --production and set it to the folder specs that this writes, or leave it out to use the one beside the entry.\n`,
    );
  });
});
