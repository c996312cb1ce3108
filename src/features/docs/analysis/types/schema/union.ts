import type { RawSchema } from "../query.ts";

/** Finds the schema of a component by its identity. */
export type Lookup = (identity: string) => RawSchema | undefined;

/** `null` alone: validators require a type next to `nullable`, and the enum allows only null. */
export const nullSchema = (): RawSchema => ({ type: "string", nullable: true, enum: [null] });

/** The same schema or null, for a schema with a type. */
export function asNullable(schema: RawSchema): RawSchema {
  return { ...schema, nullable: true, ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }) };
}

/**
 * The alternatives of a union, by its schema. The choice between `oneOf` and `anyOf` depends on components that may not
 * exist yet, so it is made when all do. The result does not depend on the order in which unions are settled.
 */
const alternativesOf = new WeakMap<RawSchema, readonly RawSchema[]>();

/** A schema to be filled by `settleUnion`. */
export function createUnion(alternatives: readonly RawSchema[]): RawSchema {
  const schema: RawSchema = {};
  alternativesOf.set(schema, alternatives);
  return schema;
}

/** Whether it allows every value. A union that is not settled yet is also an empty schema. */
export function isAnything(schema: RawSchema): boolean {
  return Object.keys(schema).length === 0 && !alternativesOf.has(schema);
}

/** Equal for equivalent schemas, even before their unions are settled. */
export function schemaKey(schema: RawSchema): string {
  return JSON.stringify(schema, (_, value) =>
    typeof value === "object" && value !== null ? (alternativesOf.get(value) ?? value) : value,
  );
}

export function settleUnion(schema: RawSchema, lookup: Lookup): void {
  const alternatives = alternativesOf.get(schema)!;
  const values = alternatives.filter((alternative) => !isNull(alternative));
  const acceptsNull = values.some((value) => typesOf(value, lookup)?.has("null"));
  const isNullable = values.length < alternatives.length && !acceptsNull;
  Object.assign(schema, isNullable ? withNull(values, lookup) : combine(values, lookup));
  // A single reference needs no wrapper, unless there are keywords next to it.
  if (Array.isArray(schema.allOf) && Object.keys(schema).length === 1) {
    delete schema.allOf;
    Object.assign(schema, values[0]);
  }
}

/** A discriminator supports only references, so null must be outside. */
function withNull(values: readonly RawSchema[], lookup: Lookup): RawSchema {
  const combined = combine(values, lookup);
  if (!("discriminator" in combined)) return combine([...values, nullSchema()], lookup);
  alternativesOf.set(combined, values);
  return combine([combined, nullSchema()], lookup);
}

function combine(alternatives: readonly RawSchema[], lookup: Lookup): RawSchema {
  if (alternatives.length === 1) return { allOf: alternatives };
  const areDisjoint = alternatives.every((one, index) =>
    alternatives.slice(index + 1).every((other) => isDisjoint(one, other, lookup)),
  );
  if (!areDisjoint) return { anyOf: alternatives };
  const discriminator = findDiscriminator(alternatives, lookup);
  return { oneOf: alternatives, ...(discriminator && { discriminator }) };
}

export interface Discriminator {
  readonly propertyName: string;
  /** The reference for each value. */
  readonly mapping: Readonly<Record<string, string>>;
}

/**
 * A property that is required in all alternatives and whose strings distinguish them. All alternatives must be
 * references, because the mapping names them.
 */
export function findDiscriminator(
  alternatives: readonly RawSchema[],
  lookup: Lookup,
): Discriminator | undefined {
  if (!alternatives.every(({ $ref }) => typeof $ref === "string")) return undefined;
  const [first] = alternatives;
  const names = Object.keys(propertiesOf(resolve(first!, lookup)));
  for (const propertyName of names) {
    const entries = alternatives.map((alternative) => ({
      $ref: alternative.$ref,
      values: requiredStrings(resolve(alternative, lookup), propertyName, lookup),
    }));
    const all = entries.flatMap(({ values }) => values ?? []);
    if (entries.some(({ values }) => !values) || new Set(all).size < all.length) continue;
    const mapping = entries.flatMap(({ $ref, values }) => values!.map((value) => [value, $ref]));
    return { propertyName, mapping: Object.fromEntries(mapping) };
  }
  return undefined;
}

function requiredStrings(schema: RawSchema, name: string, lookup: Lookup): readonly string[] | undefined {
  const property = requiredProperty(schema, name);
  const { type, enum: values } = property ? resolve(property, lookup) : {};
  if (type !== "string" || !Array.isArray(values) || values.includes(null)) return undefined;
  return values;
}

/** Whether no value can satisfy both. False if uncertain. */
function isDisjoint(one: RawSchema, other: RawSchema, lookup: Lookup, depth = 0): boolean {
  const [left, right] = [resolve(one, lookup), resolve(other, lookup)];
  const [leftTypes, rightTypes] = [typesOf(left, lookup), typesOf(right, lookup)];
  if (leftTypes && rightTypes && leftTypes.isDisjointFrom(rightTypes)) return true;
  if (Array.isArray(left.enum) && Array.isArray(right.enum)) {
    return new Set(left.enum).isDisjointFrom(new Set(right.enum));
  }
  if (left.type !== "object" || right.type !== "object" || depth > 2) return false;
  if (left.nullable === true && right.nullable === true) return false;
  return Object.keys(propertiesOf(left)).some((name) => {
    const [leftProperty, rightProperty] = [requiredProperty(left, name), requiredProperty(right, name)];
    return leftProperty && rightProperty && isDisjoint(leftProperty, rightProperty, lookup, depth + 1);
  });
}

/** The JSON types that a schema allows, or `undefined` if they are not known. */
function typesOf(schema: RawSchema, lookup: Lookup, depth = 0): Set<string> | undefined {
  const resolved = resolve(schema, lookup);
  if (depth > 20) return undefined;
  const alternatives = alternativesOf.get(resolved);
  if (alternatives) {
    const sets = alternatives.map((alternative) => typesOf(alternative, lookup, depth + 1));
    return sets.includes(undefined) ? undefined : new Set(sets.flatMap((set) => [...set!]));
  }
  if (isNull(resolved)) return new Set(["null"]);
  if (resolved.type === undefined && Array.isArray(resolved.enum))
    return new Set(resolved.enum.map((v) => typeof v));
  if (typeof resolved.type !== "string") return undefined;
  const type = resolved.type === "integer" ? "number" : resolved.type;
  return new Set(resolved.nullable === true ? [type, "null"] : [type]);
}

/** Follows references, including those inside an `allOf` that adds a description. */
function resolve(schema: RawSchema, lookup: Lookup): RawSchema {
  let resolved = schema;
  for (let steps = 0; steps < 20; steps++) {
    const target: RawSchema | undefined =
      Array.isArray(resolved.allOf) && resolved.allOf.length === 1 ? resolved.allOf[0] : resolved;
    if (typeof target?.$ref !== "string") return resolved;
    resolved = lookup(target.$ref) ?? {};
  }
  return {};
}

export function isNull(schema: RawSchema): boolean {
  return Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null;
}

function propertiesOf(schema: RawSchema): Readonly<Record<string, RawSchema>> {
  return (schema.properties as Record<string, RawSchema> | undefined) ?? {};
}

function requiredProperty(schema: RawSchema, name: string): RawSchema | undefined {
  const isRequired = Array.isArray(schema.required) && schema.required.includes(name);
  return isRequired && Object.hasOwn(propertiesOf(schema), name) ? propertiesOf(schema)[name] : undefined;
}
