import type { Diagnostic } from "../../model/facts.ts";
import type { Schema } from "../../model/openapi.ts";
import type { RawSchema, TypeProblem } from "../types/query.ts";
import type { Lookup } from "../types/schema/union.ts";
import type { BodyFacts } from "./handler-facts.ts";
import { type FindComponent, reachableSchemas } from "./secret-bodies.ts";

/** Findings about a handler that leave a part of its input unknown. */
const unknownInput = new Set(["EVENT_OUT_OF_SIGHT", "PARAMETER_NAME_UNKNOWN"]);

/** The same diagnostics, marked if they prevent requests from being checked. */
export function markUnknownInput(problems: readonly Diagnostic[]): Diagnostic[] {
  return problems.map((each) => (unknownInput.has(each.code) ? { ...each, preventsCheck: true } : each));
}

/** Why requests cannot be checked against the schema of this body, apart from its types. */
export function findCheckProblems(
  { by }: BodyFacts,
  schema: Schema,
  { isForm, isSecret, lookup, find }: CheckContext,
): TypeProblem[] {
  const code = "BODY_NOT_CHECKABLE";
  const isRaw = by === "raw";
  const hides = isSecret && holdsValues(schema as RawSchema, find);
  return [
    ...(isRaw ? [{ code, message: rawMessage }] : []),
    ...(hides ? [{ code, message: secretMessage }] : []),
    ...(isForm ? formFields(schema, lookup).map((name) => ({ code, message: formMessage(name) })) : []),
  ];
}

export interface CheckContext {
  /** Whether the body is a form with files. */
  readonly isForm: boolean;
  /** Whether it is documented without values, because it can lead to a 401 or 403. */
  readonly isSecret: boolean;
  readonly lookup: Lookup;
  readonly find: FindComponent;
}

const rawMessage =
  "The handler reads this body from e.request, so it cannot be checked before. Read it with e.bindBody<Type>().";

const secretMessage =
  "This body can lead to a 401 or 403, so its enums and patterns are not in the document and cannot be checked. Declare these fields as `string`, or validate the body with a schema.";

const formMessage = (name: string) =>
  `\`${name}\` is not a string or a file, but a form contains only these, and a name that is sent once is not an array. Declare it as \`string\`, \`UploadedFile\`, or a union of one of them and its array.`;

/** Whether a schema, or one that it refers to, contains values or patterns. */
function holdsValues(schema: RawSchema, find: FindComponent): boolean {
  return [schema, ...reachableSchemas(schema, find)].some((each) =>
    /"enum":\[(?!null\])|"pattern":"/.test(JSON.stringify(each)),
  );
}

/** The fields that a form cannot contain as declared. */
function formFields(schema: Schema, lookup: Lookup): string[] {
  const { properties = {}, additionalProperties } = resolve(schema as RawSchema, lookup);
  const fields = Object.entries(properties as Record<string, RawSchema>);
  const rest = typeof additionalProperties === "object" ? [["[key]", additionalProperties] as const] : [];
  return [...fields, ...rest]
    .filter(([, field]) => !isFormField(field as RawSchema, lookup))
    .map(([name]) => name);
}

function isFormField(schema: RawSchema, lookup: Lookup): boolean {
  const { type, nullable, anyOf, oneOf } = resolve(schema, lookup);
  const members = (anyOf ?? oneOf) as RawSchema[] | undefined;
  if (!members) return type === "string" && nullable !== true;
  const [single, several] = [
    members.filter((each) => !isArray(each, lookup)),
    members.filter((each) => isArray(each, lookup)),
  ];
  const items = several.map((each) => resolve(each, lookup).items as RawSchema);
  return single.length > 0 && [...single, ...items].every((each) => isFormField(each, lookup));
}

const isArray = (schema: RawSchema, lookup: Lookup) => resolve(schema, lookup).type === "array";

function resolve(schema: RawSchema, lookup: Lookup): RawSchema {
  const { allOf } = schema;
  const target = (Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : schema) as RawSchema;
  return typeof target.$ref === "string" ? (lookup(target.$ref) ?? {}) : target;
}
