import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import type { HandlerFacts } from "../src/features/docs/analysis/facts/handler-facts.ts";
import { goldenFolder, readCases } from "./support/golden.ts";

const root = resolve(import.meta.dirname, "..");
const name = "structure/worked-example";
const folder = join(goldenFolder, name);
const page = readFileSync(join(root, "docs/contributing/interpreter.md"), "utf8");
const blocksIn = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text]) => text!);

/** A golden case, so its document is tested as well. */
describe("the worked example of the interpreter", () => {
  const [facts, document] = blocksIn("json").map((text) => JSON.parse(text));

  it("is the source of the golden case", () => {
    const [source] = blocksIn("ts");
    assert.ok(readFileSync(join(folder, "source.ts"), "utf8").includes(source!));
  });

  it("has the facts that the page shows", async () => {
    const [found] = await readCases([{ name, folder }]);
    assert.deepEqual(shown(found!.routes[0]!.handler!), facts);
  });

  it("has the document that the page shows", () => {
    const { get } = JSON.parse(readFileSync(join(folder, "openapi.json"), "utf8")).paths["/todos"];
    const [{ "x-source": _, ...parameter }] = get.parameters;
    const schema = get.responses["200"].content["application/json"].schema;
    const { description } = get.responses["400"];
    assert.deepEqual({ parameters: [parameter], "200": schema, "400": description }, document);
  });

  it("names files that exist", () => {
    const flow = join(root, "src/features/docs/analysis/flow");
    const named = [...page.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file]) => file!);
    assert.ok(named.length > 5);
    for (const file of named) assert.doesNotThrow(() => readFileSync(join(flow, file)), file);
  });
});

/** Facts without places, and without properties that say nothing here. */
function shown({ reads, responses, errors }: HandlerFacts) {
  return {
    reads: reads.map(({ in: place, name, type, default: given, bounds }) => ({
      in: place,
      name,
      type,
      default: given,
      bounds,
    })),
    responses: responses.map(({ form, statuses }) => ({ form, statuses })),
    errors: errors.map(({ statuses, message }) => ({ statuses, message })),
  };
}
