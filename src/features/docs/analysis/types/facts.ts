import { isSensitiveName } from "../../../../lib/redaction/sensitive-names.ts";
import { awaitedTypes } from "./awaited.ts";
import { createProblem } from "./problems.ts";
import type { RawSchema, ResponseFact, TypeFact, TypeProblem, TypeQuery } from "./query.ts";
import { findResponses, type ResponseTypes } from "./response-types.ts";
import type { Components } from "./schema/components.ts";
import { type ConverterParts, convertValue } from "./schema/schema.ts";
import type { Subject } from "./schema/subject.ts";
import { asNullable, nullSchema } from "./schema/union.ts";
import type { Compiler, Literal, Place, TypeRef } from "./shape.ts";

export interface FactParts extends ConverterParts {
  readonly components: Components;
}

/** A location and the last name written there: `body.apiKey` is a credential, whatever its type. */
export interface NamedPlace extends Place {
  readonly lastName: string;
}

/** The result of a query for the type at its location. */
export function createFact(parts: FactParts, query: TypeQuery, type: TypeRef, at: NamedPlace): TypeFact {
  switch (query.kind) {
    case "responses":
      return responsesFact(parts, query, type, { ...at, lastName: "" });
    case "input":
      return inputFact(parts, type, { ...at, lastName: "" });
    case "type":
      return withoutMark(valueFact(parts, [type], { ...at, lastName: "" }));
    case "data":
      return withUndefined(valueFact(parts, [type], at));
    case "field":
      return fieldFact(parts, query, type, at);
    case "expression":
      return withUndefined(valueFact(parts, awaitedTypes(parts.compiler, type), at));
  }
}

/** `isAbsent`: the value may be undefined. */
interface ValueFact extends TypeFact {
  readonly isAbsent: boolean;
}

function valueFact(parts: FactParts, types: readonly TypeRef[], at: NamedPlace): ValueFact {
  const { lastName, ...place } = at;
  const kinds = types.map((type) => parts.compiler.shapeOf(type).kind);
  const isCredential = isSensitiveName(lastName);
  const values = literalsOf(parts.compiler, types);
  const isShown = !isCredential && !values?.some((value) => parts.isSecret(String(value)));
  const described = describe(parts, types, { name: "The value", place, declaredAs: "" }, isCredential);
  const isError = kinds.includes("error");
  const hidesNull = described.schema && types.some((type) => !parts.compiler.seesNull(type));
  const hidden = hidesNull ? [createProblem("TYPE_HIDES_NULL", "The value", place)] : [];
  return {
    ...described,
    problems: [...described.problems, ...hidden],
    ...(isError && { schema: undefined }),
    ...(kinds.some((kind) => kind === "any" || kind === "unknown") && { isUnknown: true }),
    ...(values && isShown && { values }),
  };
}

function fieldFact(parts: FactParts, { name = "" }: TypeQuery, type: TypeRef, at: NamedPlace): TypeFact {
  const nothing = { components: [], problems: [] };
  if (parts.isSecret(name)) return { ...nothing, mayBeAbsent: true };
  const shape = parts.compiler.shapeOf(type);
  if (shape.kind === "literal" && !shape.enumType && !shape.name)
    return { ...nothing, schema: { type: typeof shape.value } };
  const lastName = isSensitiveName(name) ? name : at.lastName;
  const { isAbsent, ...fact } = valueFact(parts, [type], { ...at, lastName });
  return isAbsent ? { ...fact, mayBeAbsent: true } : fact;
}

/** Converts a value, including everything that it refers to. */
function describe(
  parts: FactParts,
  types: readonly TypeRef[],
  subject: Subject,
  isCredential: boolean,
): ValueFact {
  const piece = convertValue(parts, types, subject, isCredential);
  const closure = parts.components.complete(piece);
  const { isAbsent } = piece;
  if (piece.isOpen || closure.isOpen) return { isOpen: true, isAbsent, components: [], problems: [] };
  if (closure.isTooLarge) return { ...tooLarge(subject), isAbsent };
  const inexact = distinct(closure.inexact);
  return {
    schema: piece.schema,
    isAbsent,
    components: closure.identities,
    problems: distinct(closure.problems),
    ...(inexact.length > 0 && { inexact }),
  };
}

function tooLarge({ name, place }: Subject): TypeFact {
  return { schema: {}, components: [], problems: [createProblem("TYPE_TOO_LARGE", name, place)] };
}

/** A component can be reached in several ways, but its problems are reported once. */
function distinct(problems: readonly TypeProblem[]): readonly TypeProblem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** Clients cannot send undefined. */
function withoutMark({ isAbsent: _, ...fact }: ValueFact): TypeFact {
  return fact;
}

/** If the whole value is undefined, null is sent. */
function withUndefined({ isAbsent, ...fact }: ValueFact): TypeFact {
  return isAbsent && fact.schema ? { ...fact, schema: orNull(fact.schema) } : fact;
}

function orNull(schema: RawSchema): RawSchema {
  if (
    schema.nullable === true ||
    JSON.stringify(schema).includes('"enum":[null]') ||
    Object.keys(schema).length === 0
  )
    return schema;
  if (!("type" in schema)) return { oneOf: [schema, nullSchema()] };
  return asNullable(schema);
}

function inputFact(parts: FactParts, type: TypeRef, place: NamedPlace): TypeFact {
  const { compiler } = parts;
  let found: TypeRef | undefined = type;
  for (const name of ["~standard", "types", "input"]) {
    found = found && compiler.propertyOf(compiler.withoutNullish(found), name);
  }
  if (found) return withoutMark(valueFact(parts, [found], place));
  if (parts.naming.isOpen(type)) return { isOpen: true, components: [], problems: [] };
  return { components: [], problems: [createProblem("TYPE_NO_INPUT", "The value", place)] };
}

function responsesFact(parts: FactParts, { status }: TypeQuery, type: TypeRef, place: NamedPlace): TypeFact {
  const found = findResponses(parts.compiler, type);
  const wanted = found.responses.filter((response) => status === undefined || response.status === status);
  const described = wanted.map((response) => describeResponse(parts, response, place));
  const isOpen = found.isOpen || described.some(({ fact }) => fact.isOpen);
  const isUnknown = found.isUnknown || described.some(({ fact }) => fact.isUnknown);
  return {
    responses: described.map(({ response }) => response),
    ...(isOpen && { isOpen }),
    ...(isUnknown && { isUnknown }),
    components: [...new Set(described.flatMap(({ fact }) => fact.components))].sort(),
    problems: distinct(described.flatMap(({ fact }) => fact.problems)),
  };
}

function describeResponse(parts: FactParts, { status, bodies }: ResponseTypes, place: NamedPlace) {
  const fact = withUndefined(valueFact(parts, bodies, place));
  const hasBody = fact.isOpen === true || fact.schema !== undefined;
  const schema: RawSchema | undefined = fact.isUnknown ? undefined : fact.schema;
  const response: ResponseFact = { status, ...(schema && { schema }), hasBody };
  return { response, fact };
}

/** The values of types that consist only of literals. Null and undefined are ignored. */
function literalsOf(compiler: Compiler, types: readonly TypeRef[]): readonly Literal[] | undefined {
  const found = types.map((type): readonly Literal[] | undefined => {
    const shape = compiler.shapeOf(type);
    if (shape.kind === "literal") return [shape.value];
    if (shape.kind === "undefined" || shape.kind === "null") return [];
    return shape.kind === "union" ? literalsOf(compiler, shape.members) : undefined;
  });
  const values = found.flatMap((part) => part ?? []);
  return found.includes(undefined) || values.length === 0 ? undefined : [...new Set(values)];
}
