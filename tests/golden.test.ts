import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import SwaggerParser from "@apidevtools/swagger-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { TypeEngine } from "../src/features/docs/analysis/types/query.ts";
import { openTs6 } from "../src/features/docs/analysis/types/testing/ts6.ts";
import { openTs7 } from "../src/features/docs/analysis/types/ts7.ts";
import {
  describeCases,
  type GoldenResult,
  goldenFolder,
  listCases,
  readCases,
  secretsIn,
} from "./support/golden.ts";
import { compareFacts, type ExpectedFacts } from "./support/golden-facts.ts";
import { componentSchema, createJudge } from "./support/json-schema.ts";

interface Samples {
  readonly valid?: unknown[];
  readonly invalid?: unknown[];
}

const cases = listCases();
const read = (path: string) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined);

/** Everything that the analysis must see through, each as a source and the document it gives. */
describe("the golden corpus", () => {
  const found = new Map<string, { ours: GoldenResult; second: GoldenResult }>();
  let engines: TypeEngine[] = [];

  before(async () => {
    const all = await readCases(cases);
    const files = all
      .flatMap((each) => [...each.files.contents.keys()])
      .filter((path) => path.startsWith(goldenFolder));
    const options = {
      root: goldenFolder,
      tsconfig: join(goldenFolder, "tsconfig.json"),
      files,
      secrets: secretsIn(all),
    };
    engines = [openTs7(options), openTs6(options)];
    const [ours, second] = await Promise.all(engines.map((engine) => describeCases(all, engine)));
    cases.forEach(({ name }, index) => {
      found.set(name, { ours: ours![index]!, second: second![index]! });
    });
  });
  after(() => {
    for (const engine of engines) engine.close();
  });

  it("is there", () => assert.ok(cases.length > 350));

  for (const { name, folder } of cases) {
    it(name, async () => {
      const { ours, second } = found.get(name)!;
      const { document, data } = ours;
      assert.deepEqual(JSON.parse(JSON.stringify(document)), read(join(folder, "openapi.json")));
      assert.deepEqual(data.diagnostics, read(join(folder, "diagnostics.json")) ?? []);
      const facts = read(join(folder, "facts.json")) as ExpectedFacts | undefined;
      const codes = data.diagnostics.map(({ code }) => code);
      if (facts) assert.deepEqual(compareFacts(facts, document, codes), []);
      assert.deepEqual(second.document, document, "TypeScript 6 is of another opinion");
      await assertValid(document);
      const samples = (read(join(folder, "samples.json")) ?? {}) as Record<string, Samples>;
      const judge = createJudge(document);
      for (const component of Object.keys(document.components?.schemas ?? {})) {
        const validate = judge.compile(componentSchema(component));
        const { valid = [], invalid = [] } = samples[component] ?? {};
        for (const value of valid)
          assert.ok(validate(value), `${component} refuses ${JSON.stringify(value)}`);
        for (const value of invalid)
          assert.ok(!validate(value), `${component} accepts ${JSON.stringify(value)}`);
      }
    });
  }
});

/** It compiles the schema of OpenAPI once, which takes longer than checking all documents with it. */
const validator = new Validator();

async function assertValid(document: object): Promise<void> {
  const { valid, errors } = await validator.validate(structuredClone(document) as never);
  assert.ok(valid, JSON.stringify(errors));
  // Fails on a reference that leads nowhere. Its own check of the schema is the same one, compiled again each time.
  await SwaggerParser.dereference(structuredClone(document) as never);
}
