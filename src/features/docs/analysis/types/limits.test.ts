import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { it } from "node:test";
import { describeCases } from "./testing/cases.ts";
import { createFixture, engines, markedQuery } from "./testing/fixture.ts";

const nested = (depth: number): string => (depth === 0 ? "string" : `{ a: ${nested(depth - 1)} }`);
const literals = Array.from({ length: 5_000 }, (_, index) => `"v${index}"`).join(" | ");
const wide = Array.from({ length: 3_000 }, (_, index) => `p${index}: { a: ${index} };`).join("");
const many = Array.from({ length: 700 }, (_, index) => `interface N${index} { next: N${index + 1} }`).join(
  "\n",
);

describeCases(
  "types that are too large",
  [
    {
      name: "5,000 literals",
      type: `{\n a: ${literals} }`,
      problems: ["TYPE_TOO_LARGE 3"],
      valid: [{ a: 1 }],
    },
    { name: "60 levels", type: nested(60), problems: ["TYPE_TOO_LARGE 2"], valid: [], invalid: [{ a: 1 }] },
    { name: "thousands of properties", type: `{ ${wide} }`, schema: {}, problems: ["TYPE_TOO_LARGE 2"] },
    {
      name: "700 components",
      source: `${many}\ninterface N700 {}`,
      type: "N0",
      schema: {},
      problems: ["TYPE_TOO_LARGE 702"],
    },
    {
      name: "a type of the browser",
      type: "{ a: HTMLElement }",
      valid: [{ a: 1 }],
      problems: ["TYPE_OF_LIBRARY 2"],
    },
    {
      name: "types without names that are all made of each other",
      source: `declare const n: [${Array.from({ length: 12 }, (_, at) => `{ own${at}: 1; all: typeof n }`).join(", ")}];`,
      type: "typeof n",
    },
    {
      name: "a tree of two branches without an end",
      source: "type Grow<T> = { l: Grow<{ a: T }>; r: Grow<{ b: T }> };",
      type: "Grow<{ x: 1 }>",
      problems: ["TYPE_TOO_LARGE 1"],
    },
  ],
  { compilerOptions: { lib: ["es2024", "dom"] } },
);

for (const [engine, open] of Object.entries(engines)) {
  it(`says which places it does not find, and reads the rest (${engine})`, () => {
    const source = "export const x = /*<*/1 + 1/*>*/;";
    const fixture = createFixture({ "a.ts": source, "broken.ts": "export const y = {{{" });
    const opened = open(fixture.options);
    const file = fixture.path("a.ts");
    const { facts } = opened.ask([
      { file, start: 1, end: 5, kind: "expression" },
      { file, start: 900, end: 905, kind: "type" },
      { file, start: -1, end: -1, kind: "responses" },
      { file: fixture.path("missing.ts"), start: 0, end: 1, kind: "input" },
      { file: fixture.path("broken.ts"), start: 3, end: 9, kind: "expression" },
      markedQuery(file, source, "expression"),
    ]);
    opened.close();
    fixture.remove();
    assert.deepEqual(
      facts.map(({ problems }) => problems.map(({ code }) => code)),
      [...Array.from({ length: 5 }, () => ["TYPE_PLACE_UNKNOWN"]), []],
    );
    assert.deepEqual(facts[5]!.schema, { type: "number" });
  });

  it(`sees changed, new and deleted files (${engine})`, () => {
    const source = (text: string) =>
      `import type { A } from "./b.ts";\n${text}export declare const x: /*<*/A/*>*/;`;
    const fixture = createFixture({ "a.ts": source(""), "b.ts": "export interface A { a: 1 }" });
    const opened = open(fixture.options);
    const ask = (text: string) => {
      const { facts, components } = opened.ask([markedQuery(fixture.path("a.ts"), text, "type")]);
      const { $ref } = facts[0]!.schema ?? {};
      return Object.keys((components[String($ref)]?.schema.properties as object) ?? {});
    };
    assert.deepEqual(ask(source("")), ["a"]);
    fixture.write("b.ts", 'export type { A } from "./c.ts";');
    fixture.write("c.ts", "export interface A { c: 1 }");
    fixture.write("a.ts", source("// moved\n"));
    opened.refresh(["a.ts", "b.ts", "c.ts"].map(fixture.path));
    assert.deepEqual(ask(source("// moved\n")), ["c"]);
    rmSync(fixture.path("c.ts"));
    opened.refresh([fixture.path("c.ts")]);
    assert.deepEqual(ask(source("// moved\n")), []);
    fixture.write("c.ts", "export interface A { back: 1 }");
    opened.refresh([fixture.path("c.ts")]);
    assert.deepEqual(ask(source("// moved\n")), ["back"]);
    opened.close();
    fixture.remove();
  });

  it(`reads types in files that are in no project (${engine})`, () => {
    const source = "interface A { a: string }\nexport declare const x: /*<*/A/*>*/;";
    const fixture = createFixture({ "a.ts": "export {};", "other/b.mts": source });
    fixture.write(
      "tsconfig.json",
      JSON.stringify({ compilerOptions: { strict: true, types: [] }, files: ["a.ts"] }),
    );
    for (const options of [fixture.options, { ...fixture.options, tsconfig: undefined }]) {
      const opened = open(options);
      const { facts } = opened.ask([markedQuery(fixture.path("other/b.mts"), source, "type")]);
      opened.close();
      assert.deepEqual(facts[0]!.schema, { $ref: "other/b.mts#A" });
    }
    fixture.remove();
  });

  it(`sees changes of files that are in no project (${engine})`, () => {
    const source = (type: string) => `export declare const x: /*<*/${type}/*>*/;`;
    const fixture = createFixture({ "a.mts": source("string") });
    rmSync(fixture.path("tsconfig.json"));
    const opened = open({ ...fixture.options, tsconfig: undefined });
    const ask = (name: string, type: string) =>
      opened.ask([markedQuery(fixture.path(name), source(type), "type")]).facts[0]!.schema;
    assert.deepEqual(ask("a.mts", "string"), { type: "string" });
    fixture.write("a.mts", source("number"));
    fixture.write("b.mts", source("boolean"));
    opened.refresh([fixture.path("a.mts"), fixture.path("b.mts")]);
    assert.deepEqual(ask("a.mts", "number"), { type: "number" });
    assert.deepEqual(ask("b.mts", "boolean"), { type: "boolean" });
    opened.close();
    fixture.remove();
  });

  it(`lists the files that declare globals (${engine})`, () => {
    const fixture = createFixture({
      "module.ts": "export const a = 1;",
      "global.d.ts": "interface Session { id: string }",
      "augment.ts": "export {};\ndeclare global { interface Session { more: 1 } }",
      "node_modules/@types/x/index.d.ts": "interface Other {}",
    });
    const opened = open(fixture.options);
    const { ambientFiles } = opened.ask([]);
    opened.close();
    fixture.remove();
    assert.deepEqual(ambientFiles, [fixture.path("augment.ts"), fixture.path("global.d.ts")]);
  });
}

it("throws one clear error when the compiler is gone", () => {
  const source = "export const x = /*<*/1 + 1/*>*/;";
  const fixture = createFixture({ "a.ts": source });
  const opened = engines.openTs7!(fixture.options);
  opened.close();
  assert.throws(
    () => opened.ask([markedQuery(fixture.path("a.ts"), source, "expression")]),
    /compiler has exited/,
  );
  fixture.remove();
});
