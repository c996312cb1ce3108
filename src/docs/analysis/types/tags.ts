import { type DocTag, parseDocComment } from "./doc-comment.ts";
import type { RawSchema } from "./query.ts";

/** As written above a declaration, if there is one. */
export type Comment = string | undefined;

/** Returns what a tag says in a schema, or `undefined` when its text is unusable or the schema is of another kind. */
type TagReader = (text: string, schema: RawSchema) => RawSchema | undefined;

const readers: Readonly<Record<string, TagReader>> = {
  title: (text) => (text === "" ? undefined : { title: text }),
  format: (text, schema) => (isWord(text) && fits(schema, "string", "number") ? { format: text } : undefined),
  pattern: (text, schema) => {
    // People also write it as JavaScript does; flags have no place in a schema.
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
 * The schema with what the comment above its declaration says about it. Beside a `$ref` everything is ignored, so the
 * reference is put into an `allOf`. `onUnusable` is told the tags that say nothing here.
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
  // The type is settled first, since it decides what the others mean.
  for (const tag of known.toSorted((one, other) => rank(one) - rank(other))) {
    const said = readers[tag.name]!(tag.text, base);
    // OpenAPI 3.0 has room for one example; the first one wins.
    if (said && !seen.has(tag.name)) Object.assign(base, said);
    else if (!said) onUnusable(`@${tag.name}${tag.text === "" ? "" : ` ${tag.text.split("\n")[0]}`}`);
    seen.add(tag.name);
  }
  return base;
}

/** Tags that limit a value without telling one. */
const limitTags =
  /^(format|minimum|maximum|exclusive\w+|multipleof|min\w+|max\w+|uniqueitems|integer|deprecated|\w+only)$/;

/** What the comment says about a credential: its limits. Descriptions, defaults, examples and patterns stay out. */
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

/** OpenAPI 3.0 tells an exclusive limit by a flag beside the limit. */
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

/** JSON, or a string as people write it: with any quotes or none. */
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

/** Whether a keyword for those types says anything here. What has no type of its own may be of any. */
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
