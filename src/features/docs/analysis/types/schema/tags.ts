import type { RawSchema } from "../query.ts";
import { type DocTag, parseDocComment } from "./doc-comment.ts";

/** The comment above a declaration, as written. */
export type Comment = string | undefined;

/** Returns the keywords for a tag, or `undefined` if its text is invalid or the schema has a different type. */
type TagReader = (text: string, schema: RawSchema) => RawSchema | undefined;

const readers: Readonly<Record<string, TagReader>> = {
  title: (text) => (text === "" ? undefined : { title: text }),
  format: (text, schema) => (isWord(text) && fits(schema, "string", "number") ? { format: text } : undefined),
  pattern: (text, schema) => {
    // Patterns may also be written as in JavaScript. Schemas do not support flags.
    const pattern = /^\/(.*)\/u?$/s.exec(text)?.[1] ?? text;
    const isFlagged = /^\/.*\/[a-z]+$/s.test(text) && pattern === text;
    return !isFlagged && isPattern(pattern) && fits(schema, "string") ? { pattern } : undefined;
  },
  minimum: limit("minimum"),
  maximum: limit("maximum"),
  exclusiveminimum: limit("minimum", { exclusiveMinimum: true }),
  exclusivemaximum: limit("maximum", { exclusiveMaximum: true }),
  multipleof: (text, schema) =>
    Number(text) > 0 && fits(schema, "number") ? limit("multipleOf")(text, schema) : undefined,
  minlength: count("minLength", "string"),
  maxlength: count("maxLength", "string"),
  minitems: count("minItems", "array"),
  maxitems: count("maxItems", "array"),
  uniqueitems: (text, schema) => {
    const isUsable = ["", "true", "false"].includes(text) && fits(schema, "array");
    return isUsable ? { uniqueItems: text !== "false" } : undefined;
  },
  integer: (_, schema) =>
    fits(schema, "number") ? { ...(schema.type === "number" && { type: "integer" }) } : undefined,
  default: (text, schema) => example("default", text, schema),
  example: (text, schema) => example("example", text, schema),
  deprecated: () => ({ deprecated: true }),
  readonly: (_, schema) => (schema.writeOnly === true ? undefined : { readOnly: true }),
  writeonly: (_, schema) => (schema.readOnly === true ? undefined : { writeOnly: true }),
};

/**
 * Adds the comment above a declaration to its schema. Keywords next to a `$ref` are ignored, so the reference is put
 * into an `allOf`. `onUnusable` receives the tags that do not apply.
 */
export function withComment(
  schema: RawSchema,
  comment: Comment,
  onUnusable: (tag: string) => void,
): RawSchema {
  if (comment === undefined) return schema;
  const { description, tags } = parseDocComment(comment);
  const known = tags.filter(({ name }) => Object.hasOwn(readers, name));
  if (description === "" && known.length === 0) return schema;
  const base: RawSchema = "$ref" in schema ? { allOf: [schema] } : schema;
  if (description !== "") base.description = description;
  const seen = new Set<string>();
  // The type is set first, because the other tags depend on it.
  for (const tag of known.toSorted((one, other) => rank(one) - rank(other))) {
    const said = readers[tag.name]!(tag.text, base);
    // OpenAPI 3.0 supports one example. The first one wins.
    if (said && !seen.has(tag.name)) Object.assign(base, said);
    else if (!said) onUnusable(`@${tag.name}${tag.text === "" ? "" : ` ${tag.text.split("\n")[0]}`}`);
    seen.add(tag.name);
  }
  return base;
}

/** Tags that limit a value without revealing one. */
const limitTags =
  /^(format|minimum|maximum|exclusive\w+|multipleof|min\w+|max\w+|uniqueitems|integer|deprecated|\w+only)$/;

/**
 * Adds only the limits from the comment, for a credential. Descriptions, defaults, examples and patterns are omitted.
 */
export function withLimits(
  schema: RawSchema,
  comment: Comment,
  onUnusable: (tag: string) => void,
): RawSchema {
  if (comment === undefined) return schema;
  const { tags } = parseDocComment(comment);
  const kept = tags.filter(({ name }) => limitTags.test(name)).map(({ name, text }) => `@${name} ${text}`);
  if (kept.length === 0) return schema;
  return withComment(schema, `/**\n${kept.join("\n")}\n*/`, (tag) => onUnusable(tag.split(/\s/)[0]!));
}

const rank = ({ name }: DocTag) => (name === "integer" ? 0 : 1);

/** OpenAPI 3.0 marks an exclusive limit with a flag next to the limit. */
function limit(keyword: string, flag: RawSchema = {}): TagReader {
  return (text, schema) => {
    const value = Number(text);
    if (text === "" || !Number.isFinite(value) || !fits(schema, "number")) return undefined;
    return { [keyword]: value, ...flag };
  };
}

function count(keyword: string, type: string): TagReader {
  return (text, schema) =>
    /^\d+$/.test(text) && fits(schema, type) ? { [keyword]: Number(text) } : undefined;
}

function example(keyword: string, text: string, schema: RawSchema): RawSchema | undefined {
  const value = text === "" ? undefined : parseValue(text, schema);
  if (value === undefined || !isOfType(value, schema)) return undefined;
  return { [keyword]: value };
}

/** JSON, or a string with any quotes or none. */
function parseValue(text: string, schema: RawSchema): unknown {
  const content = text.replace(/^```\w*\n([\s\S]*?)\n?```$/, "$1");
  const isText = schema.type === "string" && !/^".*"$/s.test(content);
  try {
    const value: unknown = JSON.parse(content);
    return isText && value !== null ? content : value;
  } catch {
    return content.replace(/^(['`])([\s\S]*)\1$/, "$2");
  }
}

function isOfType(value: unknown, schema: RawSchema): boolean {
  if (value === null) return schema.type === undefined || schema.nullable === true;
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false;
  switch (schema.type) {
    case undefined:
      return true;
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && !Array.isArray(value);
    default:
      return typeof value === schema.type;
  }
}

/** Whether a keyword for these types applies. A schema without a type may have any. */
function fits({ type }: RawSchema, ...types: readonly string[]): boolean {
  return type === undefined || types.includes(type === "integer" ? "number" : (type as string));
}

const isWord = (text: string) => /^\S+$/.test(text);

function isPattern(text: string): boolean {
  try {
    return text !== "" && new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
