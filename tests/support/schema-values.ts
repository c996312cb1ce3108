import type { OpenAPIDocument, Schema } from "../../src/features/docs/model/openapi.ts";
import type { Random } from "../fuzz/random.ts";

type Json = Record<string, unknown>;

/** Values that a schema of a document allows, and values that it does not. */
export class SchemaValues {
  private readonly document: OpenAPIDocument;
  private readonly random: Random;

  constructor(document: OpenAPIDocument, random: Random) {
    this.document = document;
    this.random = random;
  }

  /** One that the schema allows. */
  create(schema: Schema, depth = 0): unknown {
    const { random } = this;
    const found = this.resolve(schema);
    if (found.nullable === true && random.chance(0.1)) return null;
    if (Array.isArray(found.enum)) return random.pick(found.enum);
    if (Array.isArray(found.allOf))
      return Object.assign({}, ...found.allOf.map((each: Schema) => this.create(each, depth + 1)));
    const members = (found.oneOf ?? found.anyOf) as Schema[] | undefined;
    if (members) return this.create(random.pick(members), depth + 1);
    switch (found.type) {
      case "string":
        return this.createText(found);
      case "integer":
      case "number":
        return this.createNumber(found);
      case "boolean":
        return random.chance(0.5);
      case "array":
        return depth > 4
          ? []
          : random.several(Number(found.minItems ?? 0), Number(found.minItems ?? 0) + 2, () =>
              this.create(found.items as Schema, depth + 1),
            );
      case "object":
        return this.createObject(found, depth);
      default:
        return random.pick([null, true, 7, "text", [], {}]);
    }
  }

  /** One of another type, or outside of a bound. `undefined` if the schema allows everything. */
  createWrong(schema: Schema): unknown {
    const { random } = this;
    const found = this.resolve(schema);
    const others: Record<string, unknown[]> = {
      string: [7, true, [], {}],
      integer: ["many", 1.5, true, {}],
      number: ["many", true, {}],
      boolean: ["perhaps", 7, []],
      array: [7, "text", {}],
      object: [null, 7, "text", []],
    };
    const wrong = [...(others[String(found.type)] ?? [])];
    if (found.type === "object")
      for (const name of (found.required as string[] | undefined) ?? []) {
        const { [name]: _, ...rest } = this.createObject(found, 0);
        const property = (found.properties as Record<string, Schema>)[name]!;
        wrong.push(rest, { ...rest, [name]: this.createWrong(property) });
      }
    if (typeof found.minimum === "number") wrong.push(found.minimum - 1);
    if (typeof found.maximum === "number") wrong.push(found.maximum + 1);
    if (typeof found.minLength === "number" && found.minLength > 0) wrong.push("");
    if (typeof found.maxLength === "number") wrong.push("x".repeat(found.maxLength + 1));
    if (found.enum) wrong.push("none of these");
    return wrong.length === 0 ? undefined : random.pick(wrong);
  }

  resolve(schema: Schema): Json {
    if (!("$ref" in schema)) return schema as Json;
    const names = String(schema.$ref).split("/").slice(1);
    const target = names.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], this.document);
    return this.resolve((target ?? {}) as Schema);
  }

  private createObject({ properties = {}, required = [] }: Json, depth: number): Json {
    const entries = Object.entries(properties as Record<string, Schema>)
      .filter(([name]) => (required as string[]).includes(name) || (depth < 4 && this.random.chance(0.6)))
      .map(([name, property]) => [name, this.create(property, depth + 1)]);
    return Object.fromEntries(entries);
  }

  private createText({ format, minLength = 0, maxLength = 60, pattern }: Json): string {
    const { random } = this;
    if (format === "date-time") return new Date(random.below(2 ** 31) * 1_000).toISOString();
    if (format === "date") return new Date(random.below(2 ** 31) * 1_000).toISOString().slice(0, 10);
    if (format === "uuid") return crypto.randomUUID();
    if (format === "email") return `user${random.below(1_000)}@example.com`;
    if (format === "uri") return `https://example.com/${random.below(1_000)}`;
    if (pattern !== undefined) throw new Error(`There is no value for the pattern ${String(pattern)}.`);
    const letters = "abc XYZ019-_äß漢🚌\"'<>&\\/%";
    const length = Number(minLength) + random.below(Math.min(Number(maxLength) - Number(minLength), 40) + 1);
    // White space alone is often refused.
    return random
      .several(length, length, (index) => (index === 0 ? "a" : random.pick([...letters])))
      .join("")
      .slice(0, Number(maxLength));
  }

  private createNumber({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Json): number {
    const { random } = this;
    const least = Number(minimum ?? -1_000) + (exclusiveMinimum ? 1 : 0);
    const most = Number(maximum ?? Math.max(least, 0) + 1_000) - (exclusiveMaximum ? 1 : 0);
    const whole = least + random.below(most - least + 1);
    return type === "integer" || whole === most ? whole : whole + random.below(100) / 100;
  }
}
