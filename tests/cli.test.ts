import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import BetterSqlite3 from "better-sqlite3";
import { commands } from "../src/cli/main.ts";
import {
  createFolder,
  type Program,
  type ProgramOptions,
  startProgram,
  startSource,
} from "./support/program.ts";

const bin = resolve(import.meta.dirname, "../src/cli/bin.ts");

const annex = (t: TestContext, args: string[], options?: ProgramOptions): Program =>
  startProgram(t, [bin, ...args], options);

async function run(
  t: TestContext,
  args: string[],
  options?: ProgramOptions,
): Promise<[code: number | null, out: string, err: string]> {
  const program = annex(t, args, options);
  const [code] = await program.ended;
  return [code, program.stdout, program.stderr];
}

describe("annex", () => {
  it("lists its commands", async (t) => {
    const [code, out] = await run(t, ["--help"]);
    assert.equal(code, 0);
    for (const { name, summary } of commands) assert.ok(out.includes(name) && out.includes(summary));
  });

  for (const { name } of commands) {
    it(`${name} --help shows the usage`, async (t) => {
      const [code, out] = await run(t, [name, "--help"]);
      assert.equal(code, 0);
      assert.match(out, new RegExp(`^Usage: annex ${name} `));
    });
  }

  const wrong: [args: string[], message: RegExp][] = [
    [["dance"], /^annex: Unknown command "dance"\. See annex --help\.\n$/],
    [["superuser"], /Specify an action: create, password, remove or list\. See annex superuser --help\./],
    [["superuser", "toString", "a@example.com"], /Specify an action/],
    [["superuser", "create"], /Specify the email address/],
    [["superuser", "list", "a", "b"], /Unexpected argument "b"/],
    [["superuser", "list", "--verbose"], /Unknown option '--verbose'/],
    [["dev"], /Specify the file to run/],
    [["dev", "nowhere.ts"], /File not found: nowhere\.ts/],
  ];
  for (const [args, message] of wrong) {
    it(`refuses "annex ${args.join(" ")}"`, async (t) => {
      const [code, , err] = await run(t, args);
      assert.equal(code, 64);
      assert.match(err, message);
    });
  }
});

describe("annex superuser", () => {
  it("escapes what controls a terminal in names from the database", async (t) => {
    const dataDir = createFolder(t);
    const superuser = (args: string[], input = "") =>
      run(t, ["superuser", ...args, "--data-dir", dataDir], { input });
    assert.equal((await superuser(["create", "ada@example.com"], "correct horse"))[0], 0);
    const database = new BetterSqlite3(join(dataDir, "annex.db"));
    database.prepare("update annex_superusers set email = ?").run("a\n\x1b[2J\x9b\u202e@example.com");
    database.close();
    assert.deepEqual(await superuser(["list"]), [0, "a\\n\\x1b[2J\\x9b\\u202e@example.com\n", ""]);
  });

  it("creates, lists, changes and removes accounts, passwords from standard input", async (t) => {
    const dataDir = createFolder(t);
    const superuser = (args: string[], input?: string) =>
      run(t, ["superuser", ...args, "--data-dir", dataDir], input === undefined ? {} : { input });
    assert.deepEqual(await superuser(["create", "Ada@example.com"], "correct horse\n"), [
      0,
      "Created superuser ada@example.com.\n",
      "",
    ]);
    assert.deepEqual(await superuser(["create", "ada@example.com"], "correct horse"), [
      1,
      "",
      'annex: Superuser "ada@example.com" already exists.\n',
    ]);
    assert.equal((await superuser(["create", "bob@example.com"], "battery staple"))[0], 0);
    assert.deepEqual(await superuser(["list"]), [0, "ada@example.com\nbob@example.com\n", ""]);
    assert.match(
      (await superuser(["password", "ada@example.com"], "another horse"))[1],
      /Changed the password of ada@example\.com/,
    );
    assert.equal((await superuser(["remove", "bob@example.com"]))[0], 0);
    assert.deepEqual(await superuser(["list"]), [0, "ada@example.com\n", ""]);
    const [code, , err] = await superuser(["remove", "ada@example.com"]);
    assert.equal(code, 1);
    assert.match(err, /^annex: .*last/i);
  });

  it("reports an invalid password, an invalid address, an unknown account and an unusable folder", async (t) => {
    const dataDir = createFolder(t);
    const at = ["--data-dir", dataDir];
    for (const [args, input, message] of [
      [["create", "ada@example.com", ...at], "short", /password/],
      [["create", "ada@example.com", ...at], "", /password/],
      [["create", "ada", ...at], "correct horse", /email/],
      [["password", "nobody@example.com", ...at], "correct horse", /nobody@example\.com/],
      [["list", "--data-dir", "/dev/null/x"], "", /data folder \/dev\/null\/x/],
    ] as const) {
      const [code, , err] = await run(t, ["superuser", ...args], { input });
      assert.ok(code !== 0);
      assert.match(err, message);
      assert.equal(err.trimEnd().split("\n").length, 1, err);
    }
  });

  it("refuses weak passwords in production and warns about them in development", async (t) => {
    const at = ["--data-dir", createFolder(t)];
    const create = (email: string, input: string, NODE_ENV: string) =>
      run(t, ["superuser", "create", email, ...at], { input, env: { NODE_ENV } });
    for (const input of ["Password1", "charles.babbage"]) {
      const [code, out, err] = await create("charles.babbage@example.com", input, "production");
      assert.deepEqual([code, out], [1, ""]);
      assert.match(err, /^annex: (This password is too common|The password must differ)/);
    }
    assert.deepEqual(await create("ada@example.com", "Password1", ""), [
      0,
      "Created superuser ada@example.com.\n",
      "annex: This password is too common. It would be rejected in production.\n",
    ]);
    const [code, , err] = await create("charles.babbage@example.com", "charles.babbage", "");
    assert.equal(code, 0);
    assert.equal(
      err,
      "annex: This password is the email address or a part of it. It would be rejected in production.\n",
    );
  });

  it("works while the server runs: the account can sign in at once, and is out at once", async (t) => {
    const dataDir = createFolder(t);
    const server = startSource(
      t,
      'const { url } = await annex.createApp({ port: 0 }).start(); process.stderr.write("up at " + url + "\\n");',
      { env: { SVC_DATA_DIR: dataDir } },
    );
    const [, url] = await server.says(/up at (http:\S+)/);
    for (const email of ["ada@example.com", "bob@example.com"]) {
      await run(t, ["superuser", "create", email, "--data-dir", dataDir], { input: "correct horse" });
    }
    const login = await fetch(`${url}/api/collections/_superusers/auth-with-password`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ identity: "ada@example.com", password: "correct horse" }),
    });
    const { token } = (await login.json()) as { token: string };
    const list = () =>
      fetch(`${url}/api/collections/_superusers/records`, { headers: { authorization: token } });
    assert.equal((await list()).status, 200);
    await run(t, ["superuser", "remove", "ada@example.com", "--data-dir", dataDir]);
    assert.equal((await list()).status, 401);
  });
});
