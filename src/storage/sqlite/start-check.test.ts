import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "../../lib/testing/temporary-folder.ts";
import { refuseEmptied } from "./start-check.ts";

describe("a file that is empty beside its log", () => {
  const createFiles = () => {
    const folder = createTemporaryFolder();
    writeFileSync(join(folder, "notes.db"), "");
    writeFileSync(join(folder, "notes.db-wal"), "content");
    return folder;
  };

  it("has been truncated and is rejected", () => {
    assert.throws(() => refuseEmptied(createFiles(), "notes.db"), {
      code: "DATABASE_UNUSABLE",
      message: /notes\.db/,
    });
  });

  it("is accepted if another process has just written its first page", () => {
    let looked = 0;
    const sizeOf = (path: string) => (path.endsWith("-wal") ? 7 : looked++ === 0 ? 0 : 4_096);
    refuseEmptied(createFiles(), "notes.db", sizeOf);
    assert.equal(looked, 2);
  });
});
