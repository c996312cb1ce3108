import type { Schema } from "../../../../src/features/docs/wire.ts";
import { nameOf, type OpenApi, resolveSchema } from "../openapi/document.ts";
import { mergeParts } from "./merge-parts.ts";
import { numberExample } from "./number-example.ts";
import { textExample } from "./text-example.ts";

/** Creates example values that are valid against their schemas. */

/** Fields that are only for requests or only for responses are left out of the others. */
export type Purpose = "request" | "response";

/** `null` if the schema allows any value, or none that is finite. */
export function exampleOf(document: OpenApi, schema: Schema, purpose: Purpose = "response"): unknown {
  const found = new ExampleWriter(document, purpose).write(schema, "", []);
  return found === impossible ? null : found;
}

/** A type that contains itself in a required field has no finite value. */
const impossible = Symbol("impossible");
type Example = unknown;

class ExampleWriter {
  private readonly document: OpenApi;
  private readonly purpose: Purpose;

  constructor(document: OpenApi, purpose: Purpose) {
    this.document = document;
    this.purpose = purpose;
  }

  /** `within` has the named types around the schema, where a recursive type ends. */
  write(schema: Schema, name: string, within: readonly string[]): Example {
    const type = schema.$ref === undefined ? undefined : nameOf(schema.$ref);
    const found = resolveSchema(this.document, schema);
    if (type !== undefined && within.includes(type)) return found.nullable ? null : impossible;
    const inside = type === undefined ? within : [...within, type];
    const given = [found.example, found.default, found.enum?.[0]].find((value) => value !== undefined);
    if (given !== undefined) return given;
    const made = this.make(found, name, inside);
    return made === impossible && found.nullable ? null : made;
  }

  private make(schema: Schema, name: string, within: readonly string[]): Example {
    if (schema.allOf) return this.all(schema, name, within);
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return this.choice(schema, choices, name, within);
    if (schema.type === "array") return this.list(schema, name, within);
    if (schema.type === "object" || schema.properties) return this.fields(schema, within);
    if (schema.type === "boolean") return true;
    if (schema.type === "integer" || schema.type === "number") return numberExample(schema, name);
    return schema.type === "string" ? textExample(schema, name) : null;
  }

  /** The first choice that has an example. Fields next to the choices belong to each of them. */
  private choice(
    schema: Schema,
    choices: readonly Schema[],
    name: string,
    within: readonly string[],
  ): Example {
    const { oneOf, anyOf, ...common } = schema;
    const made = choices.map((each) => this.write(each, name, within));
    const [found = impossible] = made.filter((each) => each !== impossible);
    if (!common.properties || !isObject(found)) return found;
    return { ...(this.fields(common, within) as object), ...found };
  }

  private all(schema: Schema, name: string, within: readonly string[]): Example {
    const { merged, unions } = mergeParts(this.document, schema);
    const parts = unions.map((each) => this.make(each, name, within));
    if (parts.length === 0) return this.write(merged, name, within);
    if (parts.includes(impossible)) return impossible;
    if (!parts.every(isObject)) return parts[0];
    const own = this.fields(merged, within);
    return own === impossible ? impossible : Object.assign({}, own, ...parts);
  }

  private list(schema: Schema, name: string, within: readonly string[]): Example {
    const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = schema;
    // The items of `tags` are called `tag`.
    const item = this.write(items, name.replace(/s$/, ""), within);
    if (item === impossible) return minItems === 0 ? [] : impossible;
    const length = Math.min(Math.max(1, minItems), maxItems);
    const values = Array.from({ length }, () => item);
    return uniqueItems ? values.map((value, index) => this.vary(items, value, index)) : values;
  }

  /** Another value for each place, as far as the schema is simple. */
  private vary(schema: Schema, value: Example, index: number): Example {
    const found = resolveSchema(this.document, schema);
    if (found.enum) return found.enum[index] ?? value;
    if (typeof value === "number") return value + index * (found.multipleOf ?? 1);
    if (typeof value !== "string" || index === 0) return value;
    return value.slice(0, (found.maxLength ?? Number.POSITIVE_INFINITY) - 1) + index;
  }

  private fields(schema: Schema, within: readonly string[]): Example {
    const { properties = {}, required = [], additionalProperties } = schema;
    const made: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(properties)) {
      if (this.isLeftOut(each)) continue;
      const value = this.write(each, name, within);
      if (value !== impossible) made[name] = value;
      else if (required.includes(name)) return impossible;
    }
    if (typeof additionalProperties !== "object") return made;
    const other = this.write(additionalProperties, "", within);
    return other === impossible ? made : { ...made, key: other };
  }

  private isLeftOut(schema: Schema): boolean {
    const { readOnly, writeOnly } = resolveSchema(this.document, schema);
    return Boolean(this.purpose === "request" ? readOnly : writeOnly);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
