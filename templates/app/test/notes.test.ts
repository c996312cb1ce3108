import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createNotesApp } from "../src/app.ts";

test("a note is created and listed", async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), "notes-"));
  const app = createNotesApp({ dataDir, logLevel: "error" });
  t.after(async () => {
    await app.stop();
    rmSync(dataDir, { recursive: true });
  });

  const created = await app.inject({ method: "POST", url: "/api/v1/notes", body: { text: "Buy milk" } });
  assert.equal(created.status, 201);

  const listed = await app.inject({ url: "/api/v1/notes?search=milk" });
  assert.deepEqual(JSON.parse(listed.body), [JSON.parse(created.body)]);

  const refused = await app.inject({ method: "POST", url: "/api/v1/notes", body: {} });
  assert.equal(refused.status, 400);
});
