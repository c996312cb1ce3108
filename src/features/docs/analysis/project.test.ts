import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { Route } from "./handlers/route.ts";
import { Project, type Result } from "./project.ts";
import type { TypeEngine, TypeEngineOptions } from "./types/query.ts";
import { openTs7 } from "./types/ts7.ts";

/** Knows nothing. */
const emptyEngine: TypeEngine = {
  ask: (queries) => ({
    facts: queries.map(() => ({ isUnknown: true, components: [], problems: [] })),
    components: {},
    ambientFiles: [],
  }),
  conceal() {},
  refresh() {},
  close() {},
};

interface Options {
  readonly openEngine?: (options: TypeEngineOptions) => TypeEngine;
  readonly patienceMs?: number;
}

/** Analyses files whose `routes.ts` registers handlers as `router.get("/…", …)`, in an order of their own. */
async function analyze(
  t: TestContext,
  files: Record<string, string>,
  { openEngine = () => emptyEngine, ...options }: Options = {},
) {
  const root = mkdtempSync(join(tmpdir(), "annex-project-"));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const text = files["routes.ts"]!;
  const routes = [...text.matchAll(/router\.get\("([^"]+)"/g)].map(([, path], index): Route => {
    const before = text.slice(0, text.indexOf(`router.get("${path}"`) + "router.".length).split("\n");
    const registered = {
      file: join(root, "routes.ts"),
      line: before.length,
      column: before.at(-1)!.length + 1,
    };
    return {
      key: String(index),
      method: "GET",
      path: path!,
      parameters: [],
      registered,
      handlerName: undefined,
      middleware: [],
    };
  });
  const program = {
    locate: async () => [],
    textOf: () => undefined,
    readValidators: async (wanted: readonly unknown[]) => wanted.map(() => undefined),
  };
  const project = new Project({ root, openEngine }, program);
  const results: Result[] = [];
  for await (const result of project.analyze(routes, options)) results.push(result);
  const { level, data } = results.at(-1)!;
  const levels = results.map((each) => [each.level, each.isFinal]);
  const parameters = routes.map(({ key }) => data.facts[key]?.parameters?.map(({ name }) => name));
  const codes = data.diagnostics.map(({ code }) => code).filter((code) => code !== "RESPONSE_TYPE_UNKNOWN");
  return { level, levels, data, parameters, codes };
}

const reading = (name: string) => `(e) => e.json(200, e.query("${name}"))`;

describe("a project", () => {
  it("without a compiler has parameters and no schemas, and says why", async (t) => {
    const files = { "routes.ts": `// API_SOURCE\nrouter.get("/a", ${reading("q")});` };
    const openEngine = () => {
      throw new Error("the compiler is not there");
    };
    const { level, parameters, data } = await analyze(t, files, { openEngine });
    assert.equal(level, "syntax");
    assert.deepEqual(parameters, [["q"]]);
    assert.match(data.diagnostics[0]!.message, /the compiler is not there/);
  });

  for (const [what, included, code] of [
    ["is in no tsconfig.json", "boats.ts", "TYPE_NOT_INCLUDED"],
    ["is in the tsconfig.json", "*.ts", "TYPE_UNRESOLVED"],
  ] as const) {
    it(`says why a type cannot be resolved if the handler's file ${what}`, async (t) => {
      const sent = ["boat", "{ boat }"];
      const routes = sent.map(
        (data, index) => `router.get("/${index}", (e: RequestEvent) => e.json(200, ${data}));`,
      );
      const files = {
        "package.json": '{ "type": "module" }',
        "tsconfig.json": JSON.stringify({ include: [included] }),
        "boats.ts": "export {};",
        "routes.ts": `import type { RequestEvent } from "annex";\nimport type { Boat } from "@/boat";\ndeclare const boat: Boat;\n${routes.join("\n")}`,
      };
      const { data } = await analyze(t, files, { openEngine: openTs7 });
      assert.deepEqual(
        data.diagnostics.map((each) => `${each.line} ${each.code}`),
        [`4 ${code}`, `5 ${code}`],
      );
      const { message } = data.diagnostics[0]!;
      assert.equal(
        /No tsconfig\.json includes .* Add the file to `include`/.test(message),
        code === "TYPE_NOT_INCLUDED",
      );
    });
  }

  it("whose compiler takes long first has what the syntax shows", async (t) => {
    const files = { "routes.ts": `// API_SOURCE\nrouter.get("/a", ${reading("q")});` };
    const soon = await analyze(t, files, { patienceMs: 60_000 });
    assert.deepEqual(soon.levels, [["exact", true]]);
    const late = await analyze(t, files, { patienceMs: 0 });
    assert.deepEqual(late.levels, [
      ["syntax", false],
      ["exact", true],
    ]);
  });

  it("whose compiler dies has parameters and no schemas", async (t) => {
    const files = { "routes.ts": `// API_SOURCE\nrouter.get("/a", ${reading("q")});` };
    const dying: TypeEngine = {
      ...emptyEngine,
      ask() {
        throw new Error("gone");
      },
    };
    const { level, parameters } = await analyze(t, files, { openEngine: () => dying });
    assert.deepEqual([level, parameters], ["syntax", [["q"]]]);
  });

  it("continues after imports that are missing, circular or broken", async (t) => {
    const { parameters, codes } = await analyze(t, {
      "routes.ts": `// API_SOURCE
        import { missing } from "./nowhere.ts";
        import { broken } from "./broken.ts";
        import { one } from "./one.ts";
        router.get("/missing", missing);
        router.get("/broken", broken);
        router.get("/circular", (e) => e.json(200, one(e)));
        router.get("/fine", ${reading("q")});`,
      "broken.ts": "// API_SOURCE\nexport const broken = (e) => {",
      "one.ts": 'import { two } from "./two.ts"; export const one = (e) => two(e) ?? e.query("one");',
      "two.ts":
        'import { one } from "./one.ts"; export const two = (e) => (e.query("two") ? one(e) : undefined);',
    });
    assert.deepEqual(parameters, [undefined, undefined, ["two", "one"], ["q"]]);
    assert.deepEqual(codes, ["HANDLER_NOT_FOUND", "HANDLER_NOT_FOUND"]);
  });

  it("reads a handler of 5,000 lines", async (t) => {
    const lines = Array.from(
      { length: 5_000 },
      (_, index) => `if (e.query("q${index % 50}") === "${index}") e.set("k", ${index});`,
    );
    const { parameters } = await analyze(t, {
      "routes.ts": `// API_SOURCE\nrouter.get("/a", (e) => {\n${lines.join("\n")}\nreturn e.noContent();\n});`,
    });
    assert.equal(parameters[0]!.length, 50);
  });

  it("gives up one handler that is nested without measure, and no other", async (t) => {
    const deep = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
    const { parameters } = await analyze(t, {
      "routes.ts": `// API_SOURCE
        import { deep } from "./deep.ts";
        router.get("/deep", deep);
        router.get("/fine", ${reading("q")});`,
      "deep.ts": `// API_SOURCE\nexport const deep = (e) => e.json(200, ${deep});`,
    });
    assert.deepEqual(parameters[1], ["q"]);
  });

  it("follows functions that all call each other, in bounded time", async (t) => {
    const names = Array.from({ length: 24 }, (_, index) => `f${index}`);
    const functions = names.map(
      (name) =>
        `function ${name}(e) { e.query("${name}"); ${names.map((other) => `if (Math.random() > 0.5) ${other}(e);`).join(" ")} }`,
    );
    const { parameters } = await analyze(t, {
      "routes.ts": `// API_SOURCE\n${functions.join("\n")}\nrouter.get("/a", (e) => { f0(e); return e.noContent(); });`,
    });
    assert.equal(parameters[0]?.length, names.length);
  });

  it("reads a helper once, however many handlers call it", async (t) => {
    const handlers = Array.from(
      { length: 300 },
      (_, index) => `router.get("/${index}", (e) => e.json(200, helper(e)));`,
    );
    const helper = `function helper(e) { ${'e.query("q");'.repeat(2_000)} }`;
    const { parameters } = await analyze(t, {
      "routes.ts": `// API_SOURCE\n${helper}\n${handlers.join("\n")}`,
    });
    assert.ok(parameters.every((names) => names!.length === 1));
  });
});
