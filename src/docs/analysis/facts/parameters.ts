import type { Parameter, Schema } from "../../openapi/types.ts";
import { defaultOf } from "../flow/read-uses.ts";
import type { Read } from "../flow/reads.ts";

/** One for each name and place, with what all of its reads told. */
export function mergeReads(reads: readonly Read[]): Read[] {
  const merged = new Map<string, Read>();
  for (const read of reads) {
    const key = `${read.in} ${read.in === "header" ? read.name.toLowerCase() : read.name}`;
    const known = merged.get(key);
    merged.set(key, known ? join(known, read) : { ...read });
  }
  return [...merged.values()];
}

function join(one: Read, other: Read): Read {
  return {
    ...one,
    isList: one.isList || other.isList,
    type: moreExact(one.type, other.type),
    default: one.default ?? other.default,
    values: one.values ?? other.values,
    isRequired: one.isRequired || other.isRequired,
    isText: one.isText || other.isText,
  };
}

const exactness = ["string", "boolean", "number", "integer"] as const;

function moreExact(one: Read["type"], other: Read["type"]): Read["type"] {
  return exactness.indexOf(one) >= exactness.indexOf(other) ? one : other;
}

/** As the document has it. A path value is always there, and text. */
export function toParameter(read: Read, source: string): Parameter {
  const value = schemaOf(read);
  return {
    name: read.name,
    in: read.in,
    ...((read.in === "path" || (read.isRequired && read.default === undefined)) && { required: true }),
    schema: read.isList ? { type: "array", items: value } : value,
    "x-source": source,
  };
}

/** What is cut and searched as text is text, also if it is a number at times. */
function typeOf({ type, isText }: Read): Read["type"] {
  return isText && type !== "boolean" ? "string" : type;
}

function schemaOf(read: Read): Schema {
  if (read.in === "path") return { type: "string" };
  const type = typeOf(read);
  const fallback = defaultOf(read, type);
  const isEnum = read.values && (fallback === undefined || read.values.includes(fallback));
  return {
    type,
    ...(isEnum && { enum: read.values }),
    ...(fallback !== undefined && !read.isList && { default: fallback }),
  };
}
