import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { RawSchema, TypeFact, TypeProblem, TypeQuery, TypeResults } from "../query.ts";
import { createFixture, engines, type Fixture, type FixtureOptions, markedQuery } from "./fixture.ts";
import { compileSchema } from "./validate-examples.ts";

/** A source and the expected result for the marked location in it. */
export interface Case {
  readonly name: string;
  /** Default "". If `type` is not set, `/*<*\/` and `/*>*\/` mark the location. */
  readonly source?: string;
  /** The annotation of a variable below the source, which is then the location. */
  readonly type?: string;
  /** Default "type". */
  readonly kind?: TypeQuery["kind"];
  readonly status?: number;
  /** References are `#Name`. */
  readonly schema?: RawSchema | undefined;
  /** By `#Name`. Components that are not listed are not checked. */
  readonly components?: Readonly<Record<string, RawSchema>>;
  /** Codes, each with its line in the source: `TYPE_ANY 3`. Default none. */
  readonly problems?: readonly string[];
  /** The subjects of what the schema does not say, each with its line: "`due` 1". Checked only if set. */
  readonly inexact?: readonly string[];
  readonly fact?: Partial<TypeFact>;
  readonly valid?: readonly unknown[];
  readonly invalid?: readonly unknown[];
}

/** Runs every case with both compilers, which must agree, and checks values against the schemas. */
export function describeCases(title: string, cases: readonly Case[], options: FixtureOptions = {}): void {
  describe(title, () => {
    let fixture: Fixture;
    const responses = new Map<string, readonly TypeResults[]>();

    before(() => {
      const files = Object.fromEntries(cases.map((one, index) => [fileOf(index), textOf(one)]));
      fixture = createFixture(files, options);
      const queries = cases.map((one, index) =>
        markedQuery(fixture.path(fileOf(index)), textOf(one), one.kind ?? "type", one.status),
      );
      for (const [engine, open] of Object.entries(engines)) {
        const opened = open(fixture.options);
        responses.set(
          engine,
          queries.map((query) => shortened(opened.ask([query]), fixture.root)),
        );
        opened.close();
      }
    });

    after(() => fixture.remove());

    cases.forEach((one, index) => {
      it(one.name, () => {
        const [ts7, ts6] = Object.keys(engines).map((engine) => responses.get(engine)![index]!);
        assertCase(one, ts7!);
        assert.deepEqual(ts7, ts6, "TypeScript 6 says something else");
      });
    });
  });
}

function textOf({ source = "", type }: Case): string {
  return type === undefined ? source : `${source}\nexport declare const x: /*<*/${type}/*>*/;\n`;
}

const fileOf = (index: number) => `case-${index}.ts`;

function assertCase(one: Case, responses: TypeResults): void {
  const [fact] = responses.facts;
  if ("schema" in one) assert.deepEqual(fact!.schema, one.schema);
  for (const [identity, schema] of Object.entries(one.components ?? {})) {
    assert.deepEqual(responses.components[identity]?.schema, schema, identity);
  }
  const problems = fact!.problems.map(({ code, line }) => `${code} ${line}`);
  assert.deepEqual(problems, one.problems ?? [], JSON.stringify(fact!.problems));
  if (one.inexact) assert.deepEqual((fact!.inexact ?? []).map(subjectOf), one.inexact);
  for (const [key, value] of Object.entries(one.fact ?? {}))
    assert.deepEqual(fact![key as keyof TypeFact], value, key);
  const schemas = [fact!.schema, ...(fact!.responses ?? []).map(({ schema }) => schema)];
  for (const schema of schemas) if (schema) checkExamples(one, schema, responses);
}

function subjectOf({ message, line }: TypeProblem): string {
  return `${/`[^`]+`|The value/.exec(message)} ${line}`;
}

function checkExamples(
  { valid = [], invalid = [] }: Case,
  schema: RawSchema,
  { components }: TypeResults,
): void {
  const validate = compileSchema(schema, components);
  for (const value of valid)
    assert.ok(validate(value), `${JSON.stringify(value)}: ${JSON.stringify(validate.errors)}`);
  for (const value of invalid) assert.ok(!validate(value), `${JSON.stringify(value)} should be refused`);
}

/** Without the parts that differ between runs, and with short identities. */
function shortened(responses: TypeResults, root: string): TypeResults {
  const text = JSON.stringify(responses)
    .replaceAll(root, "")
    .replace(/case-\d+\.ts#/g, "#");
  return JSON.parse(text);
}
