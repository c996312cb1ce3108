import { isSensitiveName } from "../../../../lib/redaction/sensitive-names.ts";
import type { IsSecret, RawSchema } from "../types/query.ts";

/** The keywords allowed for a credential. All others could reveal its value. */
const harmless = new Set([
  ..."type format nullable required minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum".split(
    " ",
  ),
  ..."multipleOf minItems maxItems uniqueItems minProperties maxProperties readOnly writeOnly deprecated".split(
    " ",
  ),
]);

const inner = new Set(["items", "additionalProperties", "not"]);
const lists = new Set(["anyOf", "oneOf", "allOf"]);

interface Rules {
  /** Whether a string is a secret. */
  readonly isSecret: IsSecret;
  /** Whether a property is omitted because its name is a secret. */
  readonly isSecretName: IsSecret;
  /** Whether the name of a property looks like a credential. */
  readonly isCredential: (name: string) => boolean;
  /** The identity of the component to refer to instead. */
  readonly refer: (identity: string) => string;
}

/**
 * The schema of a validator without secrets. A validator contains values of the running program, so its enums,
 * defaults, examples and patterns may come from anywhere: constants, environment variables, files.
 */
export function redactSchema(schema: RawSchema, isSecret: IsSecret): RawSchema {
  const rules = { isSecret, isSecretName: isSecret, isCredential: isSensitiveName, refer: same };
  return redact(schema, rules, false).schema;
}

type Refer = Rules["refer"];
const same: Refer = (identity) => identity;
const never = () => false;

/** The schema with only types and lengths. */
export function withoutValues(schema: RawSchema, refer: Refer = same): Redacted {
  return redact(schema, { isSecret: never, isSecretName: never, isCredential: never, refer }, true);
}

/** The schema without the keywords that contain one of these strings. */
export function withoutTexts(schema: RawSchema, isSecret: IsSecret, refer: Refer = same): Redacted {
  return redact(schema, { isSecret, isSecretName: never, isCredential: never, refer }, false);
}

export interface Redacted {
  readonly schema: RawSchema;
  /** Whether keywords are missing, so that it may allow more than before. */
  readonly isWider: boolean;
}

function redact(schema: RawSchema, rules: Rules, isCredential: boolean): Redacted {
  const result: RawSchema = {};
  let isWider = false;
  const keep = (keyword: string, { schema: redacted, isWider: widens }: Redacted) => {
    result[keyword] = redacted;
    isWider ||= widens;
  };
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "properties")
      keep(keyword, redactProperties(value as Record<string, RawSchema>, rules, isCredential));
    else if (inner.has(keyword) && isSchema(value)) keep(keyword, redact(value, rules, isCredential));
    else if (lists.has(keyword) && Array.isArray(value)) {
      const parts = value.map((each) => redact(each as RawSchema, rules, isCredential));
      isWider ||= parts.some((part) => part.isWider);
      result[keyword] = parts.map((part) => part.schema);
    } else if (keyword === "$ref") {
      result.$ref = rules.refer(value as string);
      isWider ||= result.$ref !== value;
    } else if (keyword === "required") {
      // OpenAPI does not allow an empty list, but valibot writes one.
      const required = (value as string[]).filter((name) => !rules.isSecretName(name));
      if (required.length > 0) result.required = required;
    } else if (isShown(keyword, value, rules.isSecret, isCredential)) result[keyword] = value;
    else isWider = true;
  }
  return { schema: isWider ? withoutChoice(result) : result, isWider };
}

function redactProperties(
  properties: Record<string, RawSchema>,
  rules: Rules,
  isCredential: boolean,
): Redacted {
  const entries = Object.entries(properties).filter(([name]) => !rules.isSecretName(name));
  const redacted = entries.map(
    ([name, each]) => [name, redact(each, rules, isCredential || rules.isCredential(name))] as const,
  );
  return {
    schema: Object.fromEntries(redacted.map(([name, { schema }]) => [name, schema])),
    isWider: redacted.some(([, { isWider }]) => isWider) || redacted.length < Object.keys(properties).length,
  };
}

function isShown(keyword: string, value: unknown, isSecret: IsSecret, isCredential: boolean): boolean {
  if (harmless.has(keyword)) return true;
  // `null` alone reveals nothing.
  if (keyword === "enum" && Array.isArray(value) && value.every((each) => each === null)) return true;
  if (isCredential) return false;
  return !textsIn(keyword === "pattern" ? String(value).replace(/\\(.)/g, "$1") : value).some(isSecret);
}

export function textsIn(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([name, each]) => [name, ...textsIn(each)]);
}

/** Alternatives that were distinguished by a removed value may overlap. */
function withoutChoice({ oneOf, discriminator: _, ...rest }: RawSchema): RawSchema {
  return oneOf ? { ...rest, anyOf: oneOf } : rest;
}

const isSchema = (value: unknown): value is RawSchema => typeof value === "object" && value !== null;
