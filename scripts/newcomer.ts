/**
 * Does what a new user does, with the commands of the README: starts the example in a clone, packs Annex there, installs
 * it in empty folders, pastes the README's program, starts it, and requests a route, its document and the dashboard. Then
 * creates an application, tests and builds it, and runs it in production. On Node 22 and 24, with npm and pnpm; and on Node
 * 18 and 20, which are too old. Type-checks applications and all declarations with TypeScript 5.0 to 7. Needs a package
 * registry.
 *
 *     npm run newcomer
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const root = join(import.meta.dirname, "..");
const base = mkdtempSync(join(tmpdir(), "annex-newcomer-"));
const limitMs = 600_000;
const readme = readFileSync(join(root, "README.md"), "utf8");
const [, program = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
/** The commands of the README without their comments. */
const [startCommand, , packCommand, initCommand, installCommand] = [
  ...readme.matchAll(/^```sh\n([\s\S]*?)```/gm),
].flatMap(([, block]) =>
  block!
    .trim()
    .split("\n")
    .map((line) => line.replace(/ +#.*/, "")),
);

/** A folder in which commands run with certain tools. */
class Shell {
  readonly folder: string;
  private readonly env: NodeJS.ProcessEnv;

  constructor(name: string, tools: string) {
    this.folder = join(base, name);
    mkdirSync(this.folder);
    const inherited = Object.entries(process.env).filter(([key]) => !/^(npm_|NODE_OPTIONS$)/i.test(key));
    this.env = {
      ...Object.fromEntries(inherited),
      PATH: `${tools}${delimiter}${process.env.PATH}`,
      SVC_PORT: "0",
    };
  }

  run(command: string, env: NodeJS.ProcessEnv = {}): string {
    return execFileSync(command, {
      cwd: this.folder,
      env: { ...this.env, ...env },
      shell: true,
      encoding: "utf8",
      timeout: limitMs,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Starts a server and waits until it listens; `use` gets its address. Then it has to end with 0. */
  async serve(
    command: string,
    use: (url: string) => Promise<void>,
    env: NodeJS.ProcessEnv = {},
  ): Promise<void> {
    const [file = "", ...args] = command.split(" ");
    // npm does not end the program that it started, so signals go to all processes of the group.
    const child = spawn(file, args, {
      cwd: this.folder,
      env: { ...this.env, ...env },
      detached: true,
    });
    const closed = once(child, "close");
    try {
      await use(await addressOf(child));
      process.kill(-child.pid!, "SIGTERM");
      assert.deepEqual(await closed, file === "npm" ? [null, "SIGTERM"] : [0, null]);
    } finally {
      killGroup(child.pid!);
    }
  }
}

/** The processes may have ended already. */
function killGroup(id: number): void {
  try {
    process.kill(-id, "SIGKILL");
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (text) => (said += text));
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; await delay(50)) {
    const [, url] = /listening at (http:\/\/[\w.:]+)/.exec(said) ?? [];
    if (url) return url;
    if (child.exitCode !== null) break;
  }
  throw new Error(`The server did not start:\n${said}`);
}

/** Starts the example in a clone, next to the folders of the others, and packs Annex there. */
async function useClone(tools: string): Promise<string> {
  const shell = new Shell("annex", tools);
  execFileSync("git", ["clone", "--quiet", root, shell.folder]);
  const [install, start] = startCommand!.split(" && ");
  shell.run(install!);
  await shell.serve(start!, async (url) => assert.equal((await fetch(`${url}/_/_`)).status, 200));
  shell.run(packCommand!);
  return join(shell.folder, "annex.tgz");
}

function pack(folder: string): string {
  const target = mkdtempSync(join(base, "pack-"));
  execFileSync("npm", ["pack", "--pack-destination", target], {
    cwd: folder,
    stdio: "ignore",
    timeout: limitMs,
  });
  return join(target, readdirSync(target)[0]!);
}

/** Node of a version and pnpm, from the registry. */
function installTools(version: string): string {
  const folder = join(base, `tools-${version}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  execFileSync("npm", ["install", `node@${version}`, "pnpm@10"], {
    cwd: folder,
    stdio: "ignore",
    timeout: limitMs,
  });
  return join(folder, "node_modules/.bin");
}

async function followReadme(shell: Shell, manager: "npm" | "pnpm"): Promise<void> {
  shell.run(initCommand!);
  shell.run(manager === "npm" ? installCommand! : installCommand!.replace("npm install", "pnpm add"));
  writeFileSync(join(shell.folder, "server.ts"), program);
  await shell.serve("node server.ts", async (url) => {
    assert.deepEqual(await (await fetch(`${url}/hello/you`)).json(), { hello: "you" });
    const document = (await (await fetch(`${url}/api/docs/v1/openapi.json`)).json()) as { paths: object };
    assert.deepEqual(Object.keys(document.paths), ["/hello/{name}"]);
    assert.match(JSON.stringify(document.paths), /"hello":\{"type":"string"\}/);
    assert.equal((await fetch(`${url}/_/_`)).status, 200);
  });
}

async function createApplication(
  shell: Shell,
  manager: "npm" | "pnpm",
  annex: string,
  creator: string,
): Promise<void> {
  const env = { CREATE_ANNEX_PACKAGE: annex, npm_config_user_agent: `${manager}/10` };
  execFileSync("tar", ["-xzf", creator, "-C", shell.folder]);
  shell.run("node package/index.js app", env);
  const app = `cd app && `;
  assert.match(shell.run(`${app}${manager} test`), /pass 1/);
  assert.match(shell.run(`${app}npx tsc --version`), /^Version /);
  shell.run(`${app}npx tsc -p .`);
  shell.run(`${app}${manager} run build`);
  const production = { NODE_ENV: "production", SVC_DATA_DIR: join(shell.folder, "data") };
  await shell.serve(
    "node app/dist/server.js",
    async (url) => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ text: "Buy milk" });
      const created = await fetch(`${url}/api/v1/notes`, { method: "POST", headers, body });
      assert.equal(created.status, 201);
      assert.equal(((await (await fetch(`${url}/api/v1/notes`)).json()) as unknown[]).length, 1);
      assert.equal((await fetch(`${url}/api/health/ready`)).status, 200);
    },
    production,
  );
}

/** With every compiler and every setting of `tests/types`. */
function checkTypes(): void {
  execFileSync("npm", ["run", "test:only", "--", "tests/types/compilers.test.ts"], {
    cwd: root,
    env: { ...process.env, ANNEX_TEST_ALL_COMPILERS: "1" },
    stdio: "inherit",
  });
}

/** A release-age policy, as many companies have it: no version that is younger than a month. */
function installWithReleaseAge(annex: string, tools: string): void {
  const shell = new Shell("release-age", tools);
  const before = new Date(Date.now() - 30 * 86_400_000).toISOString();
  shell.run(`npm init -y && npm install --before ${before} ${annex}`);
  shell.run("node --eval \"require('annex')\"");
}

/** The command and an import say which Node is needed. */
async function useOldNode(version: string, annex: string): Promise<void> {
  const shell = new Shell(`old-${version}`, installTools(version));
  writeFileSync(join(shell.folder, "package.json"), '{ "type": "module" }');
  // With this Node, which is new enough for npm.
  execFileSync("npm", ["install", annex], { cwd: shell.folder, stdio: "ignore", timeout: limitMs });
  writeFileSync(join(shell.folder, "server.js"), 'import { createApp } from "annex"; createApp();');
  writeFileSync(join(shell.folder, "server.cjs"), 'require("annex").createApp();');
  const sentence = /Annex requires Node 22\.18 or newer, but this is Node (?:18|20)\.\d+\.\d+\./;
  for (const command of [
    "node server.js",
    "node server.cjs",
    "node node_modules/annex/dist/cli/bin.js --help",
  ])
    assert.throws(() => shell.run(command), { stderr: sentence } as never, command);
}

try {
  const annex = await useClone(installTools("24"));
  console.log("A clone: started and packed");
  const creator = pack(join(root, "packages/create-annex"));
  for (const version of ["22", "24"]) {
    for (const manager of ["npm", "pnpm"] as const) {
      const tools = installTools(version);
      await followReadme(new Shell(`readme-${version}-${manager}`, tools), manager);
      await createApplication(new Shell(`create-${version}-${manager}`, tools), manager, annex, creator);
      console.log(`Node ${version} with ${manager}: done`);
    }
  }
  installWithReleaseAge(annex, installTools("24"));
  console.log("Without versions of the last 30 days: done");
  checkTypes();
  console.log("TypeScript 5.0 to 7 with all settings: done");
  for (const version of ["18", "20.9", "20"]) {
    await useOldNode(version, annex);
    console.log(`Node ${version}: refused with one sentence`);
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}
