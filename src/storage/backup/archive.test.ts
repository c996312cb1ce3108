import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { createBackup, readManifest } from "../index.ts";
import { createMarked, databaseFiles } from "../testing/marked-databases.ts";
import { createTemporaryFolder } from "../testing/temporary-folder.ts";
import { readArchive } from "./archive.ts";
import { isNewerVersion, type Manifest, parseManifest } from "./manifest.ts";
import { blockSize, decodeHeader, encodeHeader } from "./tar.ts";

async function createExample(): Promise<{ path: string; manifest: Manifest }> {
  const dataDir = createTemporaryFolder();
  createMarked(dataDir, "example");
  const target = join(createTemporaryFolder(), "example.tar.gz");
  return createBackup({ dataDir, target, files: databaseFiles, annexVersion: "1.2.3" });
}

function decompress(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes);
  } catch {
    return undefined;
  }
}

const isInvalid = { name: "BackupError", exitCode: 65, message: /is damaged|not a backup/ };

describe("a backup", () => {
  it("is an archive that tar can read, for its owner only", async (t) => {
    const { path, manifest } = await createExample();
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(await readManifest(path), manifest);
    assert.deepEqual(await readArchive(path), manifest);
    if (!existsSync("/usr/bin/tar") && !existsSync("/bin/tar")) return t.skip("no tar");
    const folder = createTemporaryFolder();
    execFileSync("tar", ["-xzf", path, "-C", folder]);
    assert.deepEqual(JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")), manifest);
    for (const { file, bytes } of manifest.databases) assert.equal(statSync(join(folder, file)).size, bytes);
  });

  it("is refused if a changed byte changes its content, anywhere", async () => {
    const { path } = await createExample();
    const intact = readFileSync(path);
    const content = gunzipSync(intact);
    const damaged = join(createTemporaryFolder(), "damaged.tar.gz");
    const ends = [...Array(60).keys()].flatMap((at) => [at, intact.length - 1 - at]);
    const spread = [...Array(100).keys()].map((step) => Math.floor((step * intact.length) / 100));
    let refused = 0;
    for (const at of new Set([...ends, ...spread])) {
      const bytes = Buffer.from(intact);
      bytes[at]! ^= 0x55;
      writeFileSync(damaged, bytes);
      // The time in the header means nothing, and a run of zeros can be compressed in several ways.
      const isSame = decompress(bytes)?.equals(content) === true;
      if (isSame) await readArchive(damaged);
      else await assert.rejects(readArchive(damaged), isInvalid, `byte ${at}`);
      if (!isSame) refused++;
    }
    assert.ok(refused > 180, `${refused}`);
  });

  it("is refused if it was truncated, or if it is something else", async () => {
    const { path } = await createExample();
    const intact = readFileSync(path);
    const other = join(createTemporaryFolder(), "other");
    const contents = [
      ...[0, 1, 20, 600, intact.length / 2, intact.length - 9, intact.length - 1].map((end) =>
        intact.subarray(0, end),
      ),
      gzipSync(gunzipSync(intact).subarray(0, -2 * blockSize)),
      gzipSync("text"),
      gzipSync(Buffer.alloc(4_096)),
      Buffer.from("SQLite format 3\0"),
    ];
    for (const [index, content] of contents.entries()) {
      writeFileSync(other, content);
      await assert.rejects(readArchive(other), isInvalid, `content ${index}`);
    }
  });

  it("is refused if its checksum is of other data, although gzip's is right", async () => {
    const { path } = await createExample();
    const content = gunzipSync(readFileSync(path));
    content[content.length - 4_096]! ^= 1;
    writeFileSync(path, gzipSync(content));
    await assert.rejects(readArchive(path), { message: /the checksum of metrics\.db differs/ });
  });

  it("does not name files outside of the data folder", async () => {
    const { manifest } = await createExample();
    for (const file of ["../annex.db", "/etc/passwd", "annex.lock", "a/b.db", "", "logs.db"]) {
      const databases = manifest.databases.map((each) =>
        each.file === "metrics.db" ? { ...each, file } : each,
      );
      assert.throws(() => parseManifest(JSON.stringify({ ...manifest, databases })), {
        message: "Invalid manifest.",
      });
    }
    assert.throws(() =>
      parseManifest(JSON.stringify({ ...manifest, databases: manifest.databases.slice(1) })),
    );
  });
});

describe("a tar header", () => {
  it("has sizes below and above the octal limit", () => {
    for (const bytes of [0, 1, 8 ** 11 - 1, 8 ** 11, 5e12])
      assert.deepEqual(decodeHeader(encodeHeader({ name: "a.db", bytes }, 0)), { name: "a.db", bytes });
  });
});

describe("a version", () => {
  it("is compared by its numbers", () => {
    for (const [version, than, expected] of [
      ["0.1.0", "0.1.0", false],
      ["0.10.0", "0.9.1", true],
      ["0.9.1", "0.10.0", false],
      ["1.0.0", "0.99.99", true],
      ["0.1.1-beta.1", "0.1.0", true],
    ] as const)
      assert.equal(isNewerVersion(version, than), expected, `${version} ${than}`);
  });
});
