import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { captureCaller, originalLocation, showLocation } from "./source-location.ts";

describe("a place in the source", () => {
  it("is where the function was called", () => {
    const here = () => captureCaller(here);
    const found = here();
    assert.equal(found?.file, import.meta.filename);
    assert.deepEqual([found?.line, found?.column], [11, 19]);
    assert.equal(showLocation(found!), "src/lib/source/source-location.test.ts:11:19");
  });

  it("leaves the making of stacks as it was", () => {
    const { prepareStackTrace, stackTraceLimit } = Error;
    const here = () => captureCaller(here);
    here();
    assert.deepEqual([Error.prepareStackTrace, Error.stackTraceLimit], [prepareStackTrace, stackTraceLimit]);
    assert.match(new Error("x").stack!, /source-location\.test\.ts/);
  });

  it("of a compiled file is found through its source map, beside it or in it", (t) => {
    const folder = mkdtempSync(join(tmpdir(), "annex-map-"));
    t.after(() => rmSync(folder, { recursive: true }));
    // The one mapping: line 1, column 1 of the output is line 3, column 5 of the source.
    const map = { version: 3, sources: ["../src/app.ts"], names: [], mappings: "AAEI" };
    const inline = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString("base64")}`;
    writeFileSync(join(folder, "app.js.map"), JSON.stringify(map));
    for (const [name, url] of [
      ["beside.js", "app.js.map"],
      ["inline.js", inline],
    ] as const) {
      const file = join(folder, name);
      writeFileSync(file, `call();\n//# sourceMappingURL=${url}\n`);
      const expected = { file: join(folder, "../src/app.ts"), line: 3, column: 5 };
      assert.deepEqual(originalLocation({ file, line: 1, column: 1 }), expected);
    }
  });

  it("is unchanged without a map or with a broken one", (t) => {
    const folder = mkdtempSync(join(tmpdir(), "annex-map-"));
    t.after(() => rmSync(folder, { recursive: true }));
    for (const [name, text] of [
      ["plain.js", "call();"],
      ["broken.js", "call();\n//# sourceMappingURL=nothing.map"],
    ] as const) {
      const location = { file: join(folder, name), line: 1, column: 1 };
      writeFileSync(location.file, text);
      assert.deepEqual(originalLocation(location), location);
    }
  });
});
