import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { LoadedScript } from "./route.ts";
import { ScriptPositions } from "./script-positions.ts";

/** Finds a location of a script that runs for `server.ts` or another file. */
function find(t: TestContext, source: string, script: LoadedScript, file = "server.ts") {
  const root = mkdtempSync(join(tmpdir(), "annex-positions-"));
  t.after(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "server.ts"), source);
  const path = join(root, file);
  const positions = new ScriptPositions({ [path]: script }, root);
  const at = { file: path, line: 2, column: 1 };
  const [route] = positions.place([
    {
      key: "a",
      method: "GET",
      path: "/a",
      parameters: [],
      registered: at,
      handlerName: undefined,
      middleware: [],
    },
  ]);
  const { registered, problem } = route!;
  return {
    place: registered && `${registered.file.slice(root.length + 1)}:${registered.line}`,
    problem: problem?.message,
  };
}

/** The only mapping: line 2, column 1 of the output is line 4, column 1 of the source. */
const mapping = { version: 3, sources: ["server.ts"], names: [], mappings: ";AAGA" };
const inline = (map: object) =>
  `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString("base64")}`;

const source = "const a: number = 1;\nget(a);\n\nlast();\n";

describe("a location in the running program", () => {
  it("is the same in a file that runs untransformed or without its types", (t) => {
    assert.deepEqual(find(t, source, { text: source, mapUrl: "" }).place, "server.ts:2");
    const stripped = source.replace(": number", " ".repeat(8));
    assert.deepEqual(find(t, source, { text: stripped, mapUrl: "" }).place, "server.ts:2");
  });

  it("is found through the source map in the running code", (t) => {
    const text = `var a = 1;\nget(a);${inline(mapping)}`;
    assert.equal(find(t, source, { text, mapUrl: "" }).place, "server.ts:4");
    assert.equal(find(t, source, { text, mapUrl: "" }, "bundle.js").place, "server.ts:4");
  });

  it("is not known without a source map", (t) => {
    const { place, problem } = find(t, source, { text: "var a=1;\nget(a)", mapUrl: "" });
    assert.equal(place, undefined);
    assert.match(problem!, /The running code differs from the file and has no source map/);
  });

  it("is not known if the source has changed since", (t) => {
    const map = { ...mapping, sourcesContent: ["something else"] };
    const { place, problem } = find(t, source, { text: `a;\nget();${inline(map)}`, mapUrl: "" });
    assert.equal(place, undefined);
    assert.match(problem!, /server\.ts has changed since it was loaded or compiled/);
  });

  it("is not known if the source is missing", (t) => {
    const map = { ...mapping, sources: ["gone.ts"] };
    const { problem } = find(t, source, { text: `a;\nget();${inline(map)}`, mapUrl: "" }, "bundle.js");
    assert.match(problem!, /refers to gone\.ts, which cannot be read/);
  });
});
