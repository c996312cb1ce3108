import assert from "node:assert/strict";
import { it } from "node:test";
import SwaggerParser from "@apidevtools/swagger-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { createFixture, engines, markedQuery } from "./testing/fixture.ts";
import { componentKeys } from "./testing/validate-examples.ts";

const source = `
/** How. @see that */
enum Mode { A = "a", B = "b" }
enum Mixed { No = 0, Yes = "yes" }
interface Circle { kind: "circle"; r: number }
interface Square { kind: "square"; a: number }
type Shape = Circle | Square;
interface Page<T> { items: T[]; next: Page<T> | null }
class Money { cents = 1; toJSON() { return { amount: "" } } }
/** @title All */
interface All {
  /** The mode. @default a */
  mode: Mode | null;
  mixed?: Mixed | null;
  shape?: Shape | null;
  inline: { ok: true } | { ok: false; error: string } | null;
  page: Page<All>;
  money: Money;
  tuple: [string, number?, ...boolean[]];
  code: \`a-\${number}.\${string}\`;
  when: Date | null;
  index: { [key: string]: string | number | null };
  nothing: null;
  nulls: (undefined | string | { a: null })[];
  empty: [];
  /**
   * @exclusiveMinimum 0
   * @maximum 10
   * @example 5
   */
  limited: number;
  any: unknown;
  either: { a: string } | { b: string };
}
export declare const x: /*<*/All/*>*/;`;

/** The document with the components under plain names. */
function documentOf(components: Readonly<Record<string, { schema: unknown }>>): object {
  const keys = componentKeys(components);
  const address = (identity: string) => `#/components/schemas/${keys.get(identity)}`;
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value === "string" && keys.has(value)) return address(value);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, rename(part)]));
  };
  const schemas = Object.entries(components).map(([identity, { schema }]) => [
    keys.get(identity)!,
    rename(schema),
  ]);
  return {
    openapi: "3.0.3",
    info: { title: "Types", version: "1" },
    paths: {},
    components: { schemas: Object.fromEntries(schemas) },
  };
}

it("creates components that both OpenAPI 3.0.3 validators accept", async () => {
  const fixture = createFixture({ "a.ts": source });
  const opened = engines.openTs7!(fixture.options);
  const { components } = opened.ask([markedQuery(fixture.path("a.ts"), source, "type")]);
  opened.close();
  fixture.remove();
  const document = documentOf(components);
  const result = await new Validator().validate(structuredClone(document) as never);
  assert.deepEqual(result.errors ?? [], []);
  await SwaggerParser.validate(structuredClone(document) as never);
});
