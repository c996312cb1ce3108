import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { eventually } from "../src/lib/testing/until.ts";
import { damagePages } from "../src/storage/testing/damage.ts";
import { createFolder, startSource } from "./support/program.ts";
import { fillDisk, mountSmallDisk } from "./support/small-disk.ts";

/** An application with a table of its own. */
const application = `
  const app = annex.createApp({
    port: 0,
    migrations: {
      "001-people": {
        up: (db, types) => db.schema.createTable("people").addColumn("name", types.text).execute(),
      },
    },
  });
  app.onServe(({ router }) => {
    router.post("/people", async (e) => {
      const { name } = await e.bindBody();
      await (await app.database()).tables().insertInto("people").values({ name }).execute();
      return e.json(201, { name });
    });
    router.get("/people", async (e) =>
      e.json(200, await (await app.database()).tables().selectFrom("people").selectAll().execute()));
  });
  const { url } = await app.start();
  process.stderr.write("up at " + url + "\\n");
`;
/** Runs it once, so that all its files exist. */
const createFiles = `
  import * as annex from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
  ${application}
  await fetch(url + "/people", { method: "POST", body: JSON.stringify({ name: "Ada" }) });
  await app.stop();
  process.exit();
`;
const up = /up at (http:\S+)/;
const deadlineMs = 60_000;

async function start(t: TestContext, SVC_DATA_DIR: string) {
  const program = startSource(t, application, { env: { SVC_DATA_DIR, NODE_ENV: "production" } });
  const [, url] = await program.says(up);
  const request = (path: string, options: RequestInit = {}) =>
    fetch(url + path, { ...options, signal: AbortSignal.timeout(deadlineMs) });
  const add = (name: string) =>
    request("/people", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name }),
    });
  const ready = async () => {
    const response = await request("/api/health/ready");
    return { code: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const health = async () => ((await (await request("/api/health")).json()) as { status: string }).status;
  const stop = async () => {
    program.child.kill("SIGTERM");
    assert.deepEqual(await program.ended, [0, null]);
  };
  return { program, request, add, ready, health, stop };
}

let sound: string;
before(() => {
  sound = mkdtempSync(join(tmpdir(), "annex-sound-"));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  execFileSync(process.execPath, ["--input-type=module", "--eval", createFiles], {
    env: { ...env, SVC_DATA_DIR: sound },
    stdio: "ignore",
    timeout: 180_000,
  });
});
after(() => rmSync(sound, { recursive: true }));

/** A folder with the files of an application that has run. */
function createData(t: TestContext): string {
  const folder = createFolder(t);
  cpSync(sound, folder, { recursive: true });
  return folder;
}

const isReady = async (ready: Awaited<ReturnType<typeof start>>["ready"]) => (await ready()).code === 200;

describe("an application that runs", () => {
  it("acknowledges no write after its data folder was deleted, and is not ready", async (t) => {
    const folder = createFolder(t);
    const { add, ready, health, request } = await start(t, folder);
    assert.equal((await add("Ada")).status, 201);
    assert.deepEqual(await ready(), { code: 200, body: { status: "ready", checks: { store: "ok" } } });
    rmSync(folder, { recursive: true });
    const refused = await add("Bob");
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /removed or replaced/);
    await eventually(async () => !(await isReady(ready)));
    const { code, body } = await ready();
    assert.equal(code, 503);
    assert.partialDeepStrictEqual(body, {
      status: "unavailable",
      checks: { store: "failing" },
      reason: "file_removed",
    });
    assert.match(String(body.message), /restart the server/);
    assert.doesNotMatch(JSON.stringify(body), new RegExp(folder), "no path for anonymous clients");
    assert.equal(await health(), "degraded");
    assert.deepEqual(await (await request("/people")).json(), [{ name: "Ada" }]);
  });

  it("notices that its database file was replaced", async (t) => {
    const folder = createFolder(t);
    const { add, ready } = await start(t, folder);
    const file = join(folder, "annex.db");
    writeFileSync(`${file}.new`, readFileSync(file));
    renameSync(`${file}.new`, file);
    assert.equal((await add("Bob")).status, 503);
    assert.equal((await ready()).body.reason, "file_replaced");
  });

  it("responds with 507 while its disk is full, keeps what it acknowledged, and recovers", async (t) => {
    const folder = mountSmallDisk(t, "6m");
    if (folder === undefined) return t.skip("needs the right to mount a file system");
    const { add, ready, health, request, stop } = await start(t, folder);
    assert.ok(await isReady(ready));
    const fill = fillDisk(folder);
    const acknowledged: string[] = [];
    let status = 201;
    for (let i = 0; status === 201; i++) {
      const name = `${i} `.padEnd(5_000, "x");
      ({ status } = await add(name));
      if (status === 201) acknowledged.push(name);
    }
    assert.equal(status, 507);
    await eventually(async () => !(await isReady(ready)));
    assert.equal((await ready()).body.reason, "disk_full");
    assert.equal(await health(), "degraded");
    unlinkSync(fill);
    await eventually(() => isReady(ready));
    assert.equal((await add("after")).status, 201);
    const people = (await (await request("/people")).json()) as { name: string }[];
    assert.deepEqual(
      people.map(({ name }) => name),
      [...acknowledged, "after"],
    );
    await stop();
  });
});

describe("a start with a damaged annex.db ends with 65 and one sentence", () => {
  const damages: Record<string, (file: string) => void> = {
    "inner pages": (file) => damagePages(file),
    "no content": (file) => truncateSync(file, 0),
    "a folder in its place": (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(what, async (t) => {
      const folder = createData(t);
      const file = join(folder, "annex.db");
      damage(file);
      const program = startSource(t, application, { env: { SVC_DATA_DIR: folder } });
      assert.deepEqual(await program.ended, [65, null]);
      assert.match(program.stderr, new RegExp(`^annex: The file ${file} [^\\n]*\\.\\n$`));
    });
  }
});

describe("an application starts without the damaged file, and says so", () => {
  const damages: Record<string, (file: string) => void> = {
    "logs.db": (file) => {
      const opened = openSync(file, "r+");
      writeSync(opened, Buffer.alloc(32), 0, 32, 0);
      closeSync(opened);
    },
    "metrics.db": (file) => damagePages(file),
  };
  for (const [file, damage] of Object.entries(damages)) {
    it(file, async (t) => {
      const folder = createData(t);
      damage(join(folder, file));
      const { program, add, health, ready, stop } = await start(t, folder);
      await program.says(
        new RegExp(`"level":"WARN".*The file ${file} was damaged. It was moved to ${file}`, "i"),
      );
      await eventually(async () => (await health()) === "degraded");
      assert.equal((await add("Bob")).status, 201);
      assert.ok(await isReady(ready));
      const aside = readdirSync(folder).filter((name) => name.startsWith(`${file}.damaged-`));
      assert.equal(aside.length, 1);
      await stop();
      const again = await start(t, folder);
      assert.equal(await again.health(), "healthy");
      await again.stop();
    });
  }
});

describe("for a user without the right to use the file", () => {
  it("a start ends with 65 and one sentence", async (t) => {
    const folder = createFolder(t);
    const file = join(folder, "annex.db");
    writeFileSync(file, "");
    const isRoot = process.getuid?.() === 0;
    const isClosed = isRoot && !canRead(import.meta.filename);
    if (isClosed) return t.skip("the checkout is closed to other users");
    if (isRoot) {
      execFileSync("chown", ["nobody", folder]);
      // The folders of a test are in one that only its own user may enter.
      chmodSync(dirname(folder), 0o711);
    }
    chmodSync(file, 0o000);
    const env = { SVC_DATA_DIR: folder };
    const program = startSource(t, application, { env, ...(isRoot && { user: nobody() }) });
    assert.deepEqual(await program.ended, [65, null]);
    assert.match(program.stderr, new RegExp(`^annex: The file ${file} cannot be used: [^\\n]*\\.\\n$`));
  });
});

function nobody(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function canRead(path: string): boolean {
  try {
    execFileSync("cat", [path], { ...nobody(), stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
