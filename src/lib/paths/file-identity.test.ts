import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "../testing/temporary-folder.ts";
import { fileIdentity, fileVersion, folderIdentity, identityOf } from "./file-identity.ts";

describe("the identity of a file", () => {
  it("stays when the file is written, and changes when it is replaced", () => {
    const path = join(createTemporaryFolder(), "a");
    writeFileSync(path, "one");
    const [identity, version] = [fileIdentity(path), fileVersion(path)];
    writeFileSync(path, "second");
    assert.equal(fileIdentity(path), identity);
    assert.notEqual(fileVersion(path), version);
    writeFileSync(`${path}.new`, "second");
    renameSync(`${path}.new`, path);
    assert.notEqual(fileIdentity(path), identity);
    rmSync(path);
    assert.deepEqual([fileIdentity(path), fileVersion(path)], [undefined, undefined]);
  });

  it("of a folder is undefined for a file", () => {
    const folder = createTemporaryFolder();
    writeFileSync(join(folder, "a"), "");
    mkdirSync(join(folder, "b"));
    assert.equal(folderIdentity(join(folder, "a")), undefined);
    assert.equal(folderIdentity(join(folder, "b")), fileIdentity(join(folder, "b")));
  });

  it("keeps all 64 bits", () => {
    const { dev } = statSync(".", { bigint: true });
    const [one, other] = [0x0123_4567_89ab_cdefn, 0x0123_4567_89ab_cdeen];
    assert.equal(Number(one), Number(other), "they would be the same as numbers");
    assert.notEqual(identityOf({ dev, ino: one }), identityOf({ dev, ino: other }));
  });
});
