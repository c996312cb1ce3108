import assert from "node:assert/strict";
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createCopy } from "../scripts/mutate/copy.ts";
import { locate, type Mutant, within } from "../scripts/mutate/mutant.ts";
import { mutants } from "../scripts/mutate/mutants/index.ts";
import { readSources } from "../scripts/test/selection.ts";
import { createTemporaryFolder } from "../src/lib/testing/temporary-folder.ts";

const root = join(import.meta.dirname, "..");
const { files } = readSources(root);

describe("the list of mutants", () => {
  it("fits the sources: each text occurs once, and each test exists", () => {
    for (const mutant of mutants) assert.notEqual(locate(root, files, mutant).mutated, "");
  });

  it("has at least sixty, in every feature and in every other part", () => {
    assert.ok(mutants.length >= 60);
    const features = globSync("src/features/*", { cwd: root });
    const others = ["adapters", "app", "auth", "cli", "http", "lib", "storage"].map((name) => `src/${name}`);
    const folders = new Set(mutants.map(({ folder }) => folder));
    assert.deepEqual(
      [...features, ...others, "web/src"].filter((folder) => !folders.has(folder)),
      [],
    );
  });

  it("has no mutant twice", () => {
    assert.equal(new Set(mutants.map(({ folder, fault }) => `${folder} ${fault}`)).size, mutants.length);
  });
});

describe("a mutant", () => {
  const folder = createTemporaryFolder();
  mkdirSync(join(folder, "src"));
  const own = {
    "src/a.ts": "const isOpen = count < 7;\n",
    "src/b.ts": "wait();\nwait();\n",
    "src/a.test.ts": "",
  };
  for (const [file, text] of Object.entries(own)) writeFileSync(join(folder, file), text);
  const place = (changes: Partial<Mutant>) => {
    const [mutant] = within("src", [
      { fault: "f", text: "count < 7", replacement: "count <= 7", tests: "a" },
    ]);
    return locate(folder, Object.keys(own), { ...mutant!, ...changes });
  };

  it("is found by its text, wherever that is", () => {
    assert.deepEqual(place({}), {
      file: "src/a.ts",
      source: "const isOpen = count < 7;\n",
      mutated: "const isOpen = count <= 7;\n",
    });
  });

  it("is refused if its text is missing or not unique, or its test is missing", () => {
    assert.throws(() => place({ text: "count > 7" }), /occurs 0 times below src/);
    assert.throws(() => place({ text: "wait();" }), /occurs 2 times below src/);
    assert.throws(() => place({ tests: ["src/gone.test.ts"] }), /do not exist: src\/gone.test.ts/);
  });
});

describe("a copy of the sources", () => {
  it("runs a test, with a deadline, and leaves the original as it is", async () => {
    const folder = createTemporaryFolder();
    writeFileSync(join(folder, "count.mjs"), "export const count = 1;");
    const check = "if (count !== 1) process.exit(1);";
    writeFileSync(join(folder, "count.test.mjs"), `import { count } from "./count.mjs"; ${check}`);
    const copy = createCopy(folder, ["count.mjs", "count.test.mjs"]);
    const run = (deadlineMs = 120_000) => copy.run("count.test.mjs", deadlineMs);
    assert.equal(await run(), "passed");
    copy.write("count.mjs", "export const count = 2;");
    assert.equal(await run(), "failed");
    copy.write("count.mjs", "setInterval(() => {}, 1_000); export const count = 1;");
    assert.equal(await run(100), "deadline");
    assert.match(await import(join(folder, "count.mjs")).then(({ count }) => String(count)), /^1$/);
  });
});
