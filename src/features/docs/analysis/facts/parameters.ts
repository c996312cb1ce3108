import { isSensitiveParameter } from "../../../../lib/redaction/sensitive-names.ts";
import type { AuthorizationFacts } from "../../model/facts.ts";
import type { Parameter, Schema } from "../../model/openapi.ts";
import { joinBounds, schemaOfBounds } from "../flow/values/bounds.ts";
import { defaultOf } from "../flow/values/read-uses.ts";
import type { Read } from "../flow/values/reads.ts";

/** One entry per name and location, combined from all of its reads. */
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
    compared: [...one.compared, ...other.compared],
    mentions: [...one.mentions, ...other.mentions],
    default: one.default ?? other.default,
    isDefaultUnclear: one.isDefaultUnclear || other.isDefaultUnclear || differ(one.default, other.default),
    values: joinValues(one.values, other.values),
    bounds: joinBounds(one.bounds, other.bounds),
    isRequired: one.isRequired || other.isRequired,
    isText: one.isText || other.isText,
    guardsAccess: one.guardsAccess || other.guardsAccess,
    isSecret: one.isSecret || other.isSecret,
  };
}

/** Whether a parameter has two different defaults. The document then shows neither. */
function differ(one: Read["default"], other: Read["default"]): boolean {
  return one !== undefined && other !== undefined && String(one) !== String(other);
}

/** A value rejected in one place is not allowed, so only the common values remain. */
function joinValues(one: Read["values"], other: Read["values"]): Read["values"] {
  return one && other ? one.filter((value) => other.includes(value)) : (one ?? other);
}

const exactness = ["string", "number", "integer"] as const;

function moreExact(one: Read["type"], other: Read["type"]): Read["type"] {
  return exactness.indexOf(one) >= exactness.indexOf(other) ? one : other;
}

/**
 * OpenAPI describes `Authorization`, `Accept` and `Content-Type` elsewhere. Browsers set the others, so clients cannot
 * choose them.
 */
const undocumentedHeaders =
  /^(authorization|accept|content-type|accept-(charset|encoding)|access-control-request-.*|connection|content-length|cookie|date|dnt|expect|host|keep-alive|origin|proxy-.*|referer|sec-.*|te|trailer|transfer-encoding|upgrade|via)$/i;

export const isDocumented = ({ in: place, name }: Read): boolean =>
  place !== "header" || !undocumentedHeaders.test(name);

/** How a handler reads the `Authorization` header; `undefined` if it does not. */
export function authorizationOf(reads: readonly Read[]): AuthorizationFacts | undefined {
  const read = reads.find(({ in: place, name }) => place === "header" && /^authorization$/i.test(name));
  return read && { scheme: authorizationScheme(read), isRequired: read.isRequired };
}

/** Basic only if the code mentions it: bearer tokens are more common. */
export const authorizationScheme = ({ compared, mentions }: Read): AuthorizationFacts["scheme"] =>
  [...compared, ...mentions].some((text) => /^basic\b/i.test(text)) ? "basic" : "bearer";

/** The parameter in the document. A path parameter is always required and a string. */
export function toParameter(read: Read, source: string): Parameter {
  const value = schemaOf(read);
  return {
    name: read.name,
    in: read.in,
    ...((read.in === "path" || read.isRequired) && { required: true }),
    schema: read.isList ? { type: "array", items: value } : value,
    "x-source": source,
  };
}

/** A value that is split, searched or compared with words is a string, even if it is sometimes a number. */
function typeOf({ type, isText, isList, compared }: Read): Read["type"] | "boolean" {
  const words = compared.filter((text) => text !== "" && Number.isNaN(Number(text)));
  if (type !== "string") return isText || words.length > 0 ? "string" : type;
  const isFlag =
    words.length > 0 &&
    words.length === compared.length &&
    words.every((word) => word === "true" || word === "false");
  return isFlag && !isList && !isText ? "boolean" : "string";
}

/**
 * Credentials are detected only here. A credential is a parameter that decides about access, has the name of a
 * credential, is held by such a name, or is a header or cookie with a single valid value. Only its type is documented.
 */
function isCredential({ in: place, name, values, guardsAccess, isSecret }: Read): boolean {
  const isOnlyValue = (place === "header" || place === "cookie") && values?.length === 1;
  return guardsAccess || isSecret || isOnlyValue || isSensitiveParameter(name);
}

function schemaOf(read: Read): Schema {
  if (read.in === "path") return { type: "string" };
  const type = typeOf(read);
  if (isCredential(read)) return { type };
  const fallback = read.isRequired ? undefined : defaultOf(read, type);
  const isEnum =
    read.values && type !== "boolean" && (fallback === undefined || read.values.includes(fallback));
  return {
    type,
    ...(isEnum ? { enum: read.values } : schemaOfBounds(read, type)),
    ...(fallback !== undefined && !read.isList && { default: fallback }),
  };
}
