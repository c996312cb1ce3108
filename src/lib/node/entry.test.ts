import assert from "node:assert/strict";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "../testing/temporary-folder.ts";
import { findEntry, toRealPath } from "./entry.ts";

function createProgram() {
  const root = realpathSync(createTemporaryFolder());
  mkdirSync(join(root, "app/dist"), { recursive: true });
  writeFileSync(join(root, "app/package.json"), '{ "main": "dist/server.js" }');
  writeFileSync(join(root, "app/dist/server.js"), "");
  symlinkSync(join(root, "app/dist/server.js"), join(root, "link"));
  symlinkSync(join(root, "app"), join(root, "current"));
  return { root, server: join(root, "app/dist/server.js") };
}

describe("the entry of a program", () => {
  for (const argument of ["app", "app/", "app/dist/server.js", "app/dist/server", "link", "current"]) {
    it(`is the file that Node loads for ${argument}`, () => {
      const { root, server } = createProgram();
      assert.equal(findEntry(join(root, argument)), server);
      assert.equal(findEntry(relative(process.cwd(), join(root, argument))), server);
    });
  }

  it("is unknown if nothing is there", () => {
    const { root } = createProgram();
    assert.equal(findEntry(join(root, "absent.js")), undefined);
    assert.equal(findEntry(root), undefined);
  });
});

it("the real path of a file is undefined for other sources", () => {
  const { root, server } = createProgram();
  assert.equal(toRealPath(join(root, "link")), server);
  assert.equal(toRealPath("[eval1]"), undefined);
  assert.equal(toRealPath(undefined), undefined);
});
