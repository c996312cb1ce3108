import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { lockDataDir } from "./index.ts";
import { startProcess, type TestProcess } from "./testing/process.ts";
import { createTemporaryFolder } from "./testing/temporary-folder.ts";

const inUseBy = (pid: number) => ({
  code: "DATA_DIR_IN_USE",
  message: new RegExp(`in use by process ${pid}\\.`),
});

async function startLocking(t: TestContext, dataDir: string): Promise<TestProcess> {
  const process = startProcess(t, "lock", { dataDir });
  assert.equal(await process.readLine(), "ready");
  process.writeLine();
  return process;
}

test("a folder in use names its holder, and is free once released", async (t) => {
  const dataDir = createTemporaryFolder();
  const holder = await startLocking(t, dataDir);
  assert.equal(await holder.readLine(), "held");
  assert.throws(() => lockDataDir(dataDir), inUseBy(holder.pid));
  holder.writeLine();
  assert.equal(await holder.readLine(), "released");
  lockDataDir(dataDir).release();
});

test("a holder that was killed leaves no lock behind", async (t) => {
  const dataDir = createTemporaryFolder();
  const holder = await startLocking(t, dataDir);
  assert.equal(await holder.readLine(), "held");
  holder.kill();
  assert.equal(await holder.end, "SIGKILL");
  lockDataDir(dataDir).release();
});

test("one of five concurrent processes gets it, and the errors of the others name that one", async (t) => {
  const dataDir = createTemporaryFolder();
  const processes = Array.from({ length: 5 }, () => startProcess(t, "lock", { dataDir }));
  await Promise.all(processes.map((process) => process.readLine()));
  for (const process of processes) process.writeLine();
  const responses = await Promise.all(processes.map((process) => process.readLine()));
  const winner = responses.indexOf("held");
  assert.notEqual(winner, -1);
  const losers = responses.toSpliced(winner, 1);
  for (const response of losers) assert.match(response!, inUseBy(processes[winner]!.pid).message);
});

test("a refused second try in one process does not open the folder to others", async (t) => {
  const dataDir = createTemporaryFolder();
  const lock = lockDataDir(dataDir);
  t.after(() => lock.release());
  assert.throws(() => lockDataDir(dataDir), inUseBy(process.pid));
  const other = await startLocking(t, dataDir);
  assert.match((await other.readLine())!, inUseBy(process.pid).message);
});

test("releasing twice, or by Symbol.dispose, is the same as once", () => {
  const dataDir = createTemporaryFolder();
  const lock = lockDataDir(dataDir);
  lock.release();
  lock.release();
  lockDataDir(dataDir)[Symbol.dispose]();
  lockDataDir(dataDir).release();
});

test("a folder that cannot be used is refused here as well", () => {
  const file = join(createTemporaryFolder(), "file");
  writeFileSync(file, "");
  assert.throws(() => lockDataDir(file), { code: "DATA_DIR_UNUSABLE" });
});
