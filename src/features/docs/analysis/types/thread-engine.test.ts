import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { TypeQuery } from "./query.ts";
import { createFixture, markedQuery } from "./testing/fixture.ts";
import { ThreadEngine } from "./thread-engine.ts";

const text = (type: string) => `declare const value: ${type};\nexport const x = [/*<*/value/*>*/];`;

function open(t: TestContext, files: Record<string, string>) {
  const fixture = createFixture(files);
  const engine = new ThreadEngine({ root: fixture.root, files: [fixture.path("a.ts")] });
  t.after(async () => {
    await engine.close();
    fixture.remove();
  });
  const query = (name: string, source: string): TypeQuery =>
    markedQuery(fixture.path(name), source, "expression");
  const schemaOf = async (name: string, source: string) =>
    (await engine.ask([query(name, source)])).facts[0]!.schema;
  return { fixture, engine, query, schemaOf };
}

describe("a compiler in a thread", () => {
  it("returns facts in the order of the queries", async (t) => {
    const sources = { "a.ts": text("string"), "b.ts": text("number"), "c.ts": text("boolean") };
    const { schemaOf } = open(t, sources);
    const schemas = await Promise.all(
      Object.entries(sources).map(([name, source]) => schemaOf(name, source)),
    );
    assert.deepEqual(schemas, [{ type: "string" }, { type: "number" }, { type: "boolean" }]);
  });

  it("opens files that no project includes when it is asked about them", async (t) => {
    const outside = text("{ a: 1 | 2 }");
    const { schemaOf, fixture } = open(t, { "a.ts": text("string"), "tools/late.mts": outside });
    assert.deepEqual(await schemaOf("a.ts", text("string")), { type: "string" });
    fixture.write("tsconfig.json", JSON.stringify({ include: ["*.ts"] }));
    const schema = await schemaOf("tools/late.mts", outside);
    assert.deepEqual(schema?.required, ["a"]);
    assert.deepEqual(await schemaOf("a.ts", text("string")), { type: "string" });
  });

  it("follows a change", async (t) => {
    const { fixture, engine, schemaOf } = open(t, { "a.ts": text("string") });
    assert.deepEqual(await schemaOf("a.ts", text("string")), { type: "string" });
    fixture.write("a.ts", text("number"));
    engine.refresh([fixture.path("a.ts")]);
    assert.deepEqual(await schemaOf("a.ts", text("number")), { type: "number" });
  });

  it("conceals texts from then on", async (t) => {
    const source = text(`"plain" | "hunter2"`);
    const { engine, schemaOf } = open(t, { "a.ts": source });
    assert.match(JSON.stringify(await schemaOf("a.ts", source)), /hunter2/);
    engine.conceal(["hunter2"]);
    assert.doesNotMatch(JSON.stringify(await schemaOf("a.ts", source)), /hunter2/);
  });

  it("rejects what is asked when it is closed, and ends the compiler's process", async (t) => {
    const source = text("string");
    const { engine, query, schemaOf } = open(t, { "a.ts": source });
    await schemaOf("a.ts", source);
    const { pid } = engine as unknown as { pid: number };
    assert.ok(process.kill(pid, 0));
    const asked = engine.ask([query("a.ts", source)]);
    const closed = engine.close();
    await assert.rejects(asked, /was closed/);
    await assert.rejects(engine.ask([]), /was closed/);
    await closed;
    assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  });
});
