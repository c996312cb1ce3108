import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import BetterSqlite3 from "better-sqlite3";
import { until } from "../src/lib/testing/until.ts";
import { lockBackups } from "../src/storage/data-dir-lock.ts";
import { damagePages } from "../src/storage/testing/damage.ts";
import { createMarked, readMark, readMarks } from "../src/storage/testing/marked-databases.ts";
import { createFolder, type ProgramOptions, startProgram, startSource } from "./support/program.ts";
import { mountSmallDisk } from "./support/small-disk.ts";

const bin = resolve(import.meta.dirname, "../src/cli/bin.ts");

interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function annex(t: TestContext, args: string[], options?: ProgramOptions): Promise<Result> {
  const program = startProgram(t, [bin, ...args], options);
  const [code] = await program.ended;
  return { code, out: program.stdout, err: program.stderr };
}

/** Every failure is one line that says what to do, and never a stack. */
async function refuses(
  t: TestContext,
  args: string[],
  code: number,
  message: RegExp,
  options?: ProgramOptions,
): Promise<void> {
  const result = await annex(t, args, options);
  assert.match(result.err, message);
  assert.equal(result.code, code);
  assert.equal(result.err.trimEnd().split("\n").length, 1, result.err);
}

/** Writes two rows per request, in one transaction. */
const application = `
  const app = annex.createApp({
    port: 0,
    migrations: {
      "001-pairs": { up: (db, types) => db.schema.createTable("pairs").addColumn("id", types.integer).addColumn("side", types.text).execute() },
    },
  });
  app.onServe(({ router }) => {
    router.post("/pairs/{id}", async (e) => {
      await (await app.database()).transaction(async (trx) => {
        for (const side of ["left", "right"])
          await trx.insertInto("pairs").values({ id: Number(e.pathValue("id")), side }).execute();
      });
      return e.noContent();
    });
    router.get("/pairs", async (e) => e.json(200, await (await app.database()).tables().selectFrom("pairs").select("id").execute()));
  });
  const { url } = await app.start();
  process.stderr.write("up at " + url + "\\n");
`;

/** Sends requests on a few connections until it is stopped. */
function startLoad(url: string) {
  const acknowledged: number[] = [];
  let next = 0;
  let isStopped = false;
  const send = async () => {
    while (!isStopped) {
      const id = next++;
      const { status } = await fetch(`${url}/pairs/${id}`, { method: "POST" });
      assert.equal(status, 204);
      acknowledged.push(id);
    }
  };
  const sending = Promise.all([send(), send(), send(), send()]);
  return {
    acknowledged,
    async stop() {
      isStopped = true;
      await sending;
    },
  };
}

function hasTables(file: string): boolean {
  if (!existsSync(file)) return false;
  const database = new BetterSqlite3(file, { readonly: true });
  try {
    return database.prepare("select count(*) from sqlite_schema").pluck().get() !== 0;
  } finally {
    database.close();
  }
}

function readPairs(dataDir: string): Map<number, string[]> {
  const database = new BetterSqlite3(join(dataDir, "annex.db"), { fileMustExist: true });
  assert.equal(database.pragma("integrity_check", { simple: true }), "ok");
  const pairs = new Map<number, string[]>();
  for (const { id, side } of database.prepare("select id, side from pairs").all() as {
    id: number;
    side: string;
  }[])
    pairs.set(id, [...(pairs.get(id) ?? []), side]);
  database.close();
  return pairs;
}

describe("annex backup and annex restore", () => {
  it("copy a server under load: no half transaction, and everything acknowledged before", async (t) => {
    const dataDir = createFolder(t);
    const backups = createFolder(t);
    const env = { SVC_DATA_DIR: dataDir };
    const server = startSource(t, application, { env });
    const [, url] = await server.says(/up at (http:\S+)/);
    const load = startLoad(url!);
    await until(
      "rows are written",
      () => load.acknowledged.length,
      (count) => count > 50,
    );
    // They are created in the background, about a second after the start.
    await until("metrics are stored", () => hasTables(join(dataDir, "metrics.db")));

    const before = [...load.acknowledged];
    const { code, out, err } = await annex(t, ["backup", backups], { env });
    assert.equal(code, 0, err);
    assert.match(out, /annex\.db .*\n {2}logs\.db .*\n {2}metrics\.db /);
    assert.match(out, /Annex \d+\.\d+\.\d+/);
    const during = load.acknowledged.length - before.length;
    assert.ok(during > 0, "the server wrote during the backup");
    const [name, ...others] = readdirSync(backups);
    assert.deepEqual(others, []);
    assert.match(name!, /^annex-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz$/);
    const path = join(backups, name!);
    assert.equal(statSync(path).mode & 0o777, 0o600);

    await refuses(t, ["restore", path, "--yes"], 75, /is in use by process \d+/, { env });
    const copy = join(createFolder(t), "copy");
    assert.equal((await annex(t, ["restore", path, "--data-dir", copy])).code, 0);
    const pairs = readPairs(copy);
    for (const [id, sides] of pairs) assert.deepEqual(sides, ["left", "right"], `pair ${id}`);
    assert.deepEqual(
      before.filter((id) => !pairs.has(id)),
      [],
    );

    await load.stop();
    server.child.kill("SIGKILL");
    await server.ended;
    const restored = await annex(t, ["restore", path, "--yes"], { env });
    assert.equal(restored.code, 0, restored.err);
    const aside = /previous files are in (\S+)\./.exec(restored.out)![1]!;
    assert.deepEqual(
      load.acknowledged.filter((id) => !readPairs(aside).has(id)),
      [],
    );
    const next = startSource(t, application, { env });
    const [, nextUrl] = await next.says(/up at (http:\S+)/);
    const rows = (await (await fetch(`${nextUrl}/pairs`)).json()) as { id: number }[];
    assert.equal(rows.length, 2 * pairs.size);
  });

  it("a start completes a restore that was killed after its commit", async (t) => {
    const { dataDir, path } = await createExample(t);
    const env = { SVC_DATA_DIR: dataDir };
    createMarked(dataDir, "later");
    // The first rename is the commit.
    const preload = join(createFolder(t), "kill.mjs");
    writeFileSync(
      preload,
      `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
      const { renameSync } = fs;
      fs.renameSync = (...args) => { renameSync(...args); process.kill(process.pid, "SIGKILL"); };
      syncBuiltinESMExports();`,
    );
    const killed = startProgram(t, ["--import", preload, bin, "restore", path, "--yes"], { env });
    assert.deepEqual(await killed.ended, [null, "SIGKILL"]);
    assert.equal(readMark(join(dataDir, "annex.db")), "later");
    const server = startSource(t, application, { env });
    await server.says(/Completed an interrupted restore/);
    await server.says(/up at/);
    assert.equal(readMark(join(dataDir, "annex.db")), "example");
    assert.ok(!existsSync(join(dataDir, "restore-committed")));
  });

  it("so does a command that opens the database without a server", async (t) => {
    const { dataDir, path } = await createExample(t);
    assert.equal((await annex(t, ["restore", path, "--yes", "--data-dir", dataDir])).code, 0);
    createMarked(dataDir, "later");
    mkdirSync(join(dataDir, "restore-committed"));
    const copy = join(createFolder(t), "copy");
    assert.equal((await annex(t, ["restore", path, "--data-dir", copy])).code, 0);
    writeFileSync(join(dataDir, "restore-committed/annex.db"), readFileSync(join(copy, "annex.db")));
    writeFileSync(
      join(dataDir, "restore-committed/plan.json"),
      JSON.stringify({ files: ["annex.db"], aside: "before-restore-now" }),
    );
    assert.equal((await annex(t, ["superuser", "list", "--data-dir", dataDir])).code, 0);
    assert.equal(readMark(join(dataDir, "annex.db")), "example");
    assert.equal(readMark(join(dataDir, "before-restore-now/annex.db")), "later");
  });

  it("leave out logs and metrics, and keep databases that the backup does not contain", async (t) => {
    const dataDir = createFolder(t);
    createMarked(dataDir, "first");
    const path = join(createFolder(t), "small.tar.gz");
    const at = ["--data-dir", dataDir];
    const { code, out } = await annex(t, ["backup", path, "--without-logs", "--without-metrics", ...at]);
    assert.equal(code, 0);
    assert.ok(out.includes("annex.db") && !out.includes("logs.db") && !out.includes("metrics.db"), out);
    createMarked(dataDir, "second");
    assert.equal((await annex(t, ["restore", path, "--yes", ...at])).code, 0);
    assert.deepEqual(readMarks(dataDir), ["first", "second", "second"]);
  });
});

interface Example {
  readonly dataDir: string;
  readonly path: string;
}

let example: Promise<Example> | undefined;

/** A data folder and its backup. Each test gets copies, because a copy costs less than a process. */
async function createExample(t: TestContext): Promise<Example> {
  example ??= backUpExample(t);
  const original = await example;
  const copy = { dataDir: createFolder(t), path: join(createFolder(t), "example.tar.gz") };
  cpSync(original.dataDir, copy.dataDir, { recursive: true });
  cpSync(original.path, copy.path);
  return copy;
}

async function backUpExample(t: TestContext): Promise<Example> {
  const dataDir = createFolder(t);
  createMarked(dataDir, "example");
  const path = join(createFolder(t), "example.tar.gz");
  const { code, err } = await annex(t, ["backup", path, "--data-dir", dataDir]);
  assert.equal(code, 0, err);
  return { dataDir, path };
}

describe("annex backup", () => {
  it("does not replace a file without --force", async (t) => {
    const { dataDir, path } = await createExample(t);
    const args = ["backup", path, "--data-dir", dataDir];
    const before = statSync(path).ino;
    await refuses(t, args, 73, /already exists\. .*--force/);
    assert.equal(statSync(path).ino, before);
    assert.equal((await annex(t, [...args, "--force"])).code, 0);
    assert.notEqual(statSync(path).ino, before);
  });

  it("creates the folder of its argument, which only its owner can read", async (t) => {
    const dataDir = createFolder(t);
    createMarked(dataDir, "example");
    const target = join(createFolder(t), "backups/nightly/");
    const { code, err } = await annex(t, ["backup", target, "--data-dir", dataDir]);
    assert.equal(code, 0, err);
    assert.match(readdirSync(target).join(), /^annex-[\dTZ-]+\.tar\.gz$/);
    assert.equal(statSync(target).mode & 0o777, 0o700);
    writeFileSync(join(dataDir, "file"), "");
    await refuses(
      t,
      ["backup", join(dataDir, "file/"), "--data-dir", dataDir],
      73,
      /Failed to write \S+file\/: a part of the path is a file/,
    );
  });

  it("refuses missing folders, an empty folder and a second backup at the same time", async (t) => {
    const dataDir = createFolder(t);
    const target = join(createFolder(t), "x.tar.gz");
    await refuses(
      t,
      ["backup", target, "--data-dir", join(dataDir, "no")],
      66,
      /data folder \S+ does not exist/,
    );
    await refuses(t, ["backup", target, "--data-dir", dataDir], 66, /no annex\.db with data\. .*--database/);
    assert.ok(!existsSync(join(dataDir, "no")));
    createMarked(dataDir, "example");
    await refuses(
      t,
      ["backup", join(dataDir, "no/x"), "--data-dir", dataDir],
      73,
      /folder \S+ does not exist/,
    );
    using _lock = lockBackups(dataDir);
    await refuses(
      t,
      ["backup", target, "--data-dir", dataDir],
      75,
      /backup .* already running in process \d+/,
    );
    assert.ok(!existsSync(target));
  });

  it("writes nothing if a database is damaged", async (t) => {
    for (const file of ["annex.db", "logs.db"]) {
      const dataDir = createFolder(t);
      createMarked(dataDir, "example");
      readMarks(dataDir);
      damagePages(join(dataDir, file));
      const folder = createFolder(t);
      await refuses(t, ["backup", folder, "--data-dir", dataDir], 65, new RegExp(`${file} is damaged`));
      assert.deepEqual(readdirSync(folder), []);
      assert.ok(!existsSync(join(dataDir, "backup-in-progress")));
    }
  });

  it("reports a disk without space, before it fills it, and a read-only one", async (t) => {
    const disk = mountSmallDisk(t, "1m");
    if (disk === undefined) return t.skip("only root can mount a disk");
    const dataDir = createFolder(t);
    createMarked(dataDir, "example");
    await refuses(t, ["backup", disk, "--data-dir", dataDir], 73, /has .* free, but .* are needed/);
    assert.deepEqual(readdirSync(disk), []);
    const { path } = await createExample(t);
    await refuses(t, ["restore", path, "--data-dir", disk], 73, /has .* free, but .* are needed/);
    assert.deepEqual(readdirSync(disk), ["annex.lock"]);
    const other = mountSmallDisk(t, "64m")!;
    execFileSync("mount", ["-o", "remount,ro", other]);
    await refuses(
      t,
      ["backup", other, "--data-dir", dataDir],
      73,
      /Failed to write \S+: the file system is read-only/,
    );
    await refuses(t, ["restore", path, "--data-dir", other], 73, /the file system is read-only/);
  });

  it("reports folders in which this user cannot read or write", async (t) => {
    if (process.getuid?.() !== 0) return t.skip("only root can become another user");
    const user = { uid: 65_534, gid: 65_534 };
    const dataDir = createFolder(t);
    chmodSync(resolve(dataDir, ".."), 0o755);
    const folder = createFolder(t);
    createMarked(dataDir, "example");
    await refuses(t, ["backup", folder, "--data-dir", dataDir], 73, /permission denied/, { user });
    for (const name of ["", ...readdirSync(dataDir)]) chownSync(join(dataDir, name), user.uid, user.gid);
    await refuses(t, ["backup", folder, "--data-dir", dataDir], 73, /permission denied/, { user });
    chmodSync(folder, 0o777);
    assert.equal((await annex(t, ["backup", folder, "--data-dir", dataDir], { user })).code, 0);

    // What root restores, the user of the folder can use.
    const [name] = readdirSync(folder);
    const args = ["restore", join(folder, name!), "--yes", "--data-dir", dataDir];
    for (const lock of ["annex.lock", "backup.lock"]) rmSync(join(dataDir, lock), { force: true });
    assert.equal((await annex(t, args)).code, 0);
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => statSync(join(dataDir, name)).uid !== user.uid),
      [],
    );
  });

  it("does not write through a link in the place of its temporary file", async (t) => {
    const { dataDir } = await createExample(t);
    const folder = createFolder(t);
    const target = join(folder, "x.tar.gz");
    const other = join(createFolder(t), "other");
    writeFileSync(other, "other");
    symlinkSync(other, target);
    assert.equal((await annex(t, ["backup", target, "--force", "--data-dir", dataDir])).code, 0);
    assert.equal(readFileSync(other, "utf8"), "other");
  });
});

describe("annex restore", () => {
  it("does not replace data without --yes", async (t) => {
    const { dataDir, path } = await createExample(t);
    createMarked(dataDir, "later");
    await refuses(t, ["restore", path, "--data-dir", dataDir], 64, /already contains annex\.db, .*--yes/);
    assert.deepEqual(readMarks(dataDir), ["later", "later", "later"]);
  });

  it("changes nothing if the backup is missing, damaged or something else", async (t) => {
    const { dataDir, path } = await createExample(t);
    createMarked(dataDir, "later");
    const at = ["--yes", "--data-dir", dataDir];
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    await refuses(t, ["restore", path, ...at], 65, /is damaged: /);
    await refuses(t, ["restore", bin, ...at], 65, /is not a backup of Annex, or it is damaged/);
    await refuses(t, ["restore", `${path}.no`, ...at], 66, /does not exist/);
    await refuses(t, ["restore", dataDir, ...at], 66, /it is a folder/);
    assert.deepEqual(readMarks(dataDir), ["later", "later", "later"]);
    assert.deepEqual(
      readdirSync(dataDir).filter((name) => name.includes("restore")),
      [],
    );
  });

  it("refuses a backup of a newer release with one sentence", async (t) => {
    const { path } = await createExample(t);
    const content = gunzipSync(readFileSync(path)).toString("latin1");
    const copy = join(createFolder(t), "copy");
    const newer = [
      content.replace(/"annex": "0/, '"annex": "9'),
      content.replace(/"format": 1/, '"format": 2'),
    ];
    for (const text of newer) {
      writeFileSync(path, gzipSync(Buffer.from(text, "latin1")));
      await refuses(t, ["restore", path, "--data-dir", copy], 65, /written by a newer release, Annex \d/);
    }
    assert.ok(!existsSync(copy));
  });
});

describe("with PostgreSQL", () => {
  const env = { SVC_DATABASE_URL: "postgres://notes:pass-word@db.example:5433/notes" };

  it("annex backup shows how to call pg_dump, without the password", async (t) => {
    const { code, out, err } = await annex(t, ["backup", "a.dump", "--without-logs", "--without-metrics"], {
      env,
    });
    assert.equal(code, 2);
    assert.equal(out, "");
    const patterns = [
      "annex_log_*",
      "annex_metric_*",
      "annex_error*",
      "annex_stalls",
      "annex_recent_requests",
    ];
    const excluded = [...patterns, "annex_visitor*"]
      .map((table) => `--exclude-table-data=${table.endsWith("*") ? `'${table}'` : table}`)
      .join(" ");
    const command = `pg_dump --format=custom ${excluded} --file=a.dump postgresql://notes@db.example:5433/notes`;
    assert.ok(err.includes(`\n  ${command}\n`), err);
    assert.ok(!err.includes("pass-word"));
  });

  it("annex restore shows how to call pg_restore, without the password", async (t) => {
    const { code, err } = await annex(t, ["restore", "a.dump"], { env });
    assert.equal(code, 2);
    assert.match(err, /\n {2}pg_restore .*--dbname=postgresql:\/\/notes@db\.example:5433\/notes a\.dump\n/);
    assert.ok(!err.includes("pass-word"));
  });
});
