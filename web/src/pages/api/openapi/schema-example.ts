import type { Schema } from "../../../../../src/features/docs/wire.ts";
import type { OpenApi } from "./document.ts";
import { nameOf, resolveSchema } from "./document.ts";

/** Creates example values for schemas. */

const texts: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  time: "12:00:00Z",
  email: "ada@example.com",
  uri: "https://example.com/",
  url: "https://example.com/",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  byte: "QW5uZXg=",
};

/** A recursive type ends at its second occurrence. */
export function exampleOf(document: OpenApi, schema: Schema, within: readonly string[] = []): unknown {
  const name = schema.$ref === undefined ? undefined : nameOf(schema.$ref);
  if (name !== undefined && within.includes(name)) return null;
  const inside = name === undefined ? within : [...within, name];
  const found = resolveSchema(document, schema);
  const given = [found.example, found.default, found.enum?.[0]].find((value) => value !== undefined);
  return given === undefined ? makeExample(document, found, inside) : given;
}

function makeExample(document: OpenApi, schema: Schema, within: readonly string[]): unknown {
  const choice = (schema.oneOf ?? schema.anyOf)?.[0];
  if (choice) return exampleOf(document, choice, within);
  if (schema.allOf) return joinExamples(document, schema, within);
  if (schema.type === "array") return arrayExample(document, schema, within);
  if (schema.type === "object" || schema.properties) return objectExample(document, schema, within);
  if (schema.type === "boolean") return true;
  if (schema.type === "integer" || schema.type === "number") return numberExample(schema);
  return schema.type === "string" ? textExample(schema) : null;
}

/** If all parts are objects, they are merged into one. */
function joinExamples(document: OpenApi, schema: Schema, within: readonly string[]): unknown {
  const { allOf = [], ...own } = schema;
  const parts = allOf.map((part) => exampleOf(document, part, within));
  const objects = parts.filter((part) => typeof part === "object" && part !== null);
  if (objects.length === 0) return parts[0] ?? null;
  return Object.assign({}, ...objects, own.properties && objectExample(document, own, within));
}

function arrayExample(document: OpenApi, { items }: Schema, within: readonly string[]): unknown[] {
  const item = items && exampleOf(document, items, within);
  const isItselfAgain = items?.$ref !== undefined && within.includes(nameOf(items.$ref));
  return item === undefined || isItselfAgain ? [] : [item];
}

function objectExample(document: OpenApi, schema: Schema, within: readonly string[]): object {
  const { properties = {}, additionalProperties } = schema;
  const entries = Object.entries(properties).map(([name, each]) => [name, exampleOf(document, each, within)]);
  if (typeof additionalProperties === "object") {
    entries.push(["key", exampleOf(document, additionalProperties, within)]);
  }
  return Object.fromEntries(entries);
}

function numberExample({ minimum, maximum, exclusiveMinimum }: Schema): number {
  const least = minimum === undefined ? 1 : exclusiveMinimum ? minimum + 1 : minimum;
  return maximum !== undefined && (minimum === undefined || least > maximum)
    ? Math.min(least, maximum)
    : least;
}

function textExample({ format = "", minLength = 0, maxLength }: Schema): string {
  const text = texts[format] ?? "string".padEnd(minLength, "x");
  return maxLength === undefined ? text : text.slice(0, maxLength);
}
