import type { RawSchema } from "../query.ts";
import type { Literal } from "../shape.ts";
import { asNullable, createUnion, isAnything, nullSchema, schemaKey } from "./union.ts";

/** The possible JSON forms of a value. A value that may be missing, such as `undefined`, is absent. */
export interface Alternatives {
  readonly schemas: readonly RawSchema[];
  readonly literals: readonly Literal[];
  readonly isNull: boolean;
  readonly isAbsent: boolean;
}

/** No value, as for `never`. */
export const none: Alternatives = { schemas: [], literals: [], isNull: false, isAbsent: false };
export const absent: Alternatives = { ...none, isAbsent: true };
export const nothingButNull: Alternatives = { ...none, isNull: true };
export const oneSchema = (schema: RawSchema): Alternatives => ({ ...none, schemas: [schema] });
export const oneLiteral = (literal: Literal): Alternatives => ({ ...none, literals: [literal] });

export function either(all: readonly Alternatives[]): Alternatives {
  return {
    schemas: all.flatMap(({ schemas }) => schemas),
    literals: [...new Set(all.flatMap(({ literals }) => literals))],
    isNull: all.some(({ isNull }) => isNull),
    isAbsent: all.some(({ isAbsent }) => isAbsent),
  };
}

/** Array items cannot be omitted: absent items become null. */
export function asItem(alternatives: Alternatives): Alternatives {
  return { ...alternatives, isNull: alternatives.isNull || alternatives.isAbsent, isAbsent: false };
}

/** One schema for all; `undefined` without a value to describe. `onUnion` receives unions to settle later. */
export function assemble(
  { schemas, literals, isNull }: Alternatives,
  declaredAs: string,
  onUnion: (schema: RawSchema) => void,
): RawSchema | undefined {
  if (schemas.some(isAnything)) return {};
  const distinct = schemas.length > 1 ? distinctSchemas(schemas) : schemas;
  const all = [...distinct, ...literalSchemas(literals, distinct, declaredAs)];
  const [only] = all;
  if (!only) return isNull ? nullSchema() : undefined;
  if (all.length === 1 && (!isNull || "type" in only)) return isNull ? asNullable(only) : only;
  const union = createUnion(isNull ? [...all, nullSchema()] : all);
  onUnion(union);
  return union;
}

function distinctSchemas(schemas: readonly RawSchema[]): readonly RawSchema[] {
  return [...new Map(schemas.map((schema) => [schemaKey(schema), schema])).values()];
}

function literalSchemas(
  literals: readonly Literal[],
  others: readonly RawSchema[],
  declaredAs: string,
): RawSchema[] {
  const isTaken = (type: string) =>
    others.some((other) => other.type === type && Object.keys(other).length === 1);
  const isBoolean = literals.includes(true) && literals.includes(false);
  const values = inDeclaredOrder(
    literals.filter((literal) => !isTaken(typeof literal) && !(isBoolean && typeof literal === "boolean")),
    declaredAs,
  );
  const schemas = values.length > 0 ? [enumSchema(values)] : [];
  return isBoolean ? [...schemas, { type: "boolean" }] : schemas;
}

/** An enum with values of several types has no `type` keyword. */
function enumSchema(values: readonly Literal[]): RawSchema {
  const [type, ...others] = new Set(values.map((value) => typeof value));
  if (others.length > 0) return { enum: values };
  return { type: type === "number" && values.every(Number.isInteger) ? "integer" : type, enum: values };
}

/**
 * The compiler sorts the members of a union; authors order them. Members that the declaration does not show remain
 * sorted.
 */
function inDeclaredOrder(literals: readonly Literal[], declaredAs: string): readonly Literal[] {
  const places = new Map(literals.map((literal) => [literal, placeOf(literal, declaredAs)]));
  if (literals.some((literal) => places.get(literal)! < 0)) return literals;
  return literals.toSorted((one, other) => places.get(one)! - places.get(other)!);
}

function placeOf(literal: Literal, text: string): number {
  if (typeof literal !== "string") {
    return text.search(new RegExp(`(?<![\\w.-])${String(literal).replace(/[.+]/g, "\\$&")}(?![\\w.])`));
  }
  const [double, single] = [text.indexOf(JSON.stringify(literal)), text.indexOf(`'${literal}'`)];
  return double < 0 || single < 0 ? Math.max(double, single) : Math.min(double, single);
}
