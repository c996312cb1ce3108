import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createFolder, type Program, startProgram } from "./support/program.ts";

const bin = resolve(import.meta.dirname, "../src/cli/bin.ts");
const library = JSON.stringify(resolve(import.meta.dirname, "../src/index.ts"));

const compilerOptions = {
  ...{ strict: true, target: "esnext", module: "nodenext", noEmit: true, types: [] },
  allowImportingTsExtensions: true,
};

/** An application with one checked route, whose type is in a file of its own. */
const application = {
  "package.json": '{ "type": "module" }',
  "tsconfig.json": JSON.stringify({ compilerOptions }),
  "server.ts": `import { checked, createApp } from "annex";
import type { Note } from "./note.ts";
const app = createApp({ port: 0, signals: false, logLevel: "error" });
app.onServe(({ router }) => {
  router.post("/notes", async (e) => e.json(201, await e.bindBody<Note>())).bind(checked());
});
const { url } = await app.start();
for (const text of [7, "hi"]) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url + "/notes", { method: "POST", headers, body: JSON.stringify({ text }) });
  console.log(response.status, await response.text());
}
await app.stop();
`,
  "note.ts": "export interface Note { text: string }\n",
};

function createProject(t: TestContext, changes: Record<string, string> = {}): string {
  const folder = createFolder(t);
  for (const [path, text] of Object.entries({ ...application, ...changes })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text.replaceAll('"annex"', library));
  }
  return folder;
}

async function run(t: TestContext, cwd: string, args: string[], env: Record<string, string> = {}) {
  const program: Program = startProgram(t, args, { cwd, env });
  const [code] = await program.ended;
  return { code, out: program.stdout, err: program.stderr };
}

const generate = (t: TestContext, folder: string) =>
  run(t, folder, [bin, "specs", "generate", "server.ts", "--out", "specs"]);
const serve = (t: TestContext, folder: string) => run(t, folder, ["server.ts"], { NODE_ENV: "production" });

describe("checks in production", () => {
  it("come from the build, and refuse to start when they are older than the source", async (t) => {
    const folder = createProject(t);
    const missing = await serve(t, folder);
    assert.equal(missing.code, 78);
    assert.match(missing.err, /specs contains no checks\.cjs, so requests to POST \/notes cannot be checked/);

    const built = await generate(t, folder);
    assert.deepEqual([built.code, built.err], [0, ""]);
    const first = await serve(t, folder);
    assert.equal(first.code, 0, first.err);
    assert.match(
      first.out,
      /^400 .*"text":\{"code":"invalid","message":"Must be a string\."\}.*\n201 \{"text":"hi"\}\n$/,
    );

    appendFileSync(join(folder, "note.ts"), "export type Other = Note;\n");
    const outdated = await serve(t, folder);
    assert.equal(outdated.code, 78);
    assert.match(outdated.err, /checks\.cjs is older than the source: note\.ts changed after it was written/);

    // A deployed application may have no sources of its types.
    rmSync(join(folder, "note.ts"));
    assert.equal((await serve(t, folder)).code, 0);
  });

  it("refuse to start without a check for a route", async (t) => {
    const folder = createProject(t);
    assert.equal((await generate(t, folder)).code, 0);
    const file = join(folder, "specs/checks.cjs");
    writeFileSync(file, readFileSync(file, "utf8").replace("POST /notes", "POST /other"));
    const { code, err } = await serve(t, folder);
    assert.equal(code, 78);
    assert.match(err, /it contains no check for POST \/notes/);
  });

  it("are deleted when no route is checked any more", async (t) => {
    const folder = createProject(t);
    assert.equal((await generate(t, folder)).code, 0);
    const server = join(folder, "server.ts");
    writeFileSync(server, readFileSync(server, "utf8").replace(".bind(checked())", ""));
    assert.equal((await generate(t, folder)).code, 0);
    assert.ok(!existsSync(join(folder, "specs/checks.cjs")));
  });
});

describe("types that cannot be checked", () => {
  const cases: [type: string, code: string, place: string, reason: string][] = [
    ["interface T0 { due: Date }", "TYPE_NOT_CHECKABLE", "types.ts:1", "`due` is an object of a class"],
    ["interface T1 { data: any }", "TYPE_ANY", "types.ts:2", "`data` is `any`"],
    ["interface T2 { pair: [string, 1] }", "TYPE_NOT_CHECKABLE", "types.ts:3", "`pair` is a tuple"],
    ["interface T3 { save(): void }", "TYPE_IS_FUNCTION", "types.ts:4", "`save` is a function"],
    ["type T4 = unknown", "BODY_TYPE_UNKNOWN", "server.ts:9", "The type of this body is not known"],
    [
      "interface T5 { a: UploadedFile[] }",
      "BODY_NOT_CHECKABLE",
      "server.ts:10",
      "`a` is not a string or a file",
    ],
    [
      "interface T6 { /** @pattern ^(a+)+$ */ slug: string }",
      "PATTERN_EXPONENTIAL",
      "types.ts:7",
      "The pattern `^(a+)+$` can take exponential time",
    ],
    [
      "interface T7 { /** @uniqueItems */ rows: { id: string }[] }",
      "TYPE_NOT_CHECKABLE",
      "types.ts:8",
      "`rows` is a list without duplicates of objects",
    ],
  ];
  const server = `import { checked, createApp } from "annex";
import type { ${cases.map((_, index) => `T${index}`).join(", ")} } from "./types.ts";
const app = createApp({ port: 0, signals: false, logLevel: "error" });
app.onServe(({ router }) => {
${cases.map((_, index) => `router.post("/${index}", async (e) => e.json(201, await e.bindBody<T${index}>())).bind(checked());`).join("\n")}
  router.post("/unchecked", async (e) => e.json(201, await e.bindBody<{ due: Date }>()));
});
await app.start();
`;
  const types = [
    ...cases.map(([type]) => `export ${type}`),
    'import type { UploadedFile } from "annex";',
  ].join("\n");

  it("fail the build and the doctor, with file and line", async (t) => {
    const folder = createProject(t, { "server.ts": server, "types.ts": types });
    const built = await generate(t, folder);
    assert.notEqual(built.code, 0);
    assert.ok(!existsSync(join(folder, "specs/checks.cjs")));
    for (const [index, [, , place, reason]] of cases.entries())
      assert.ok(built.err.includes(`${place}: ${reason}`), `${index}: ${built.err}`);
    assert.doesNotMatch(built.err, /unchecked/);
    const examined = await run(t, folder, [bin, "doctor", "server.ts"]);
    assert.equal(examined.code, 2);
    for (const [, code, place] of cases)
      for (const text of [code, place]) assert.ok(examined.out.includes(text), examined.out);
  });
});
