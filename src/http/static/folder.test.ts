import assert from "node:assert/strict";
import { statSync, utimesSync, writeFileSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { createTemporaryFolder } from "../../lib/testing/temporary-folder.ts";
import { Folder, type OpenFile } from "./folder.ts";
import { RecentFiles } from "./recent-files.ts";

function createFolder(t: TestContext, laterMs: number) {
  const { now } = Date;
  t.mock.method(Date, "now", () => now() + laterMs);
  const path = createTemporaryFolder();
  writeFileSync(join(path, "a.txt"), "a");
  const folder = new Folder(path, () => false);
  return { path, open: async (name: string) => (await folder.open(name)) as OpenFile };
}

it("keeps a small file in memory until it changes", async (t) => {
  const { path, open } = createFolder(t, 10_000);
  const first = await open("a.txt");
  assert.equal(await open("a.txt"), first);
  // The same content, size and date.
  const { atime, mtime } = statSync(join(path, "a.txt"));
  writeFileSync(join(path, "a.txt"), "a");
  utimesSync(join(path, "a.txt"), atime, mtime);
  const second = await open("a.txt");
  assert.notEqual(second, first);
  assert.equal(await open("a.txt"), second);
});

it("does not keep a file that has just changed, because it can change again unnoticed", async (t) => {
  const { open } = createFolder(t, 0);
  assert.notEqual(await open("a.txt"), await open("a.txt"));
});

it("opens a large file for every request", async (t) => {
  const { path, open } = createFolder(t, 10_000);
  writeFileSync(join(path, "large"), Buffer.alloc(65_537));
  const files = [await open("large"), await open("large")];
  const handles = files.map(({ content }) => content as FileHandle);
  assert.notEqual(handles[0]!.fd, handles[1]!.fd);
  assert.equal(files[0]!.etag, files[1]!.etag);
  for (const handle of handles) await handle.close();
});

it("forgets the files that were not used for the longest time", () => {
  const recent = new RecentFiles<string>(100);
  const stats = statSync(import.meta.filename);
  const add = (name: string, bytes: number) => recent.add(name, { stats, bytes, file: name });
  const known = () => ["a", "b", "c", "d"].filter((name) => recent.find(name, stats));
  add("a", 40);
  add("b", 40);
  add("a", 40);
  assert.deepEqual(known(), ["a", "b"]);
  recent.find("a", stats);
  add("c", 30);
  assert.deepEqual(known(), ["a", "c"]);
  add("d", 30);
  assert.deepEqual(known(), ["a", "c", "d"]);
  add("b", 500);
  assert.deepEqual(known(), []);
  add("a", 100);
  assert.deepEqual(known(), ["a"]);
});
