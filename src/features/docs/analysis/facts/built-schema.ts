import type { BuiltData, BuiltPart } from "../flow/values/effects.ts";
import type { RawSchema, TypeFact } from "../types/query.ts";
import {
  asNullable,
  createUnion,
  isNull,
  nullSchema,
  schemaKey,
  settleUnion,
} from "../types/schema/union.ts";

/** The types of the parts, and of the literal that the data starts with. */
export interface PartFacts {
  of(part: BuiltPart): TypeFact | undefined;
  readonly initial: TypeFact | undefined;
}

/**
 * The schema of data that a function builds, where its type allows any key or any item. `undefined` if the type is more
 * precise or too little is known.
 */
export function builtSchema(
  built: BuiltData,
  declared: RawSchema | undefined,
  facts: PartFacts,
): RawSchema | undefined {
  if (built.isList) return isOpenList(declared) ? listSchema(built, facts) : undefined;
  return isOpenObject(declared) ? objectSchema(built, declared, facts) : undefined;
}

const isEmpty = (schema: unknown) =>
  typeof schema === "object" && schema !== null && Object.keys(schema).length === 0;

const isOpenList = (schema: RawSchema | undefined) =>
  schema === undefined || (schema.type === "array" && isEmpty(schema.items));

const isOpenObject = (schema: RawSchema | undefined) =>
  schema === undefined || (schema.type === "object" && schema.nullable !== true && !schema.properties);

function listSchema({ hasHoles, parts }: BuiltData, facts: PartFacts): RawSchema | undefined {
  const items = parts.map((part) => facts.of(part));
  if (!items.every(hasSchema) || parts.some(({ name }) => name !== undefined)) return undefined;
  // An item that was not set is sent as null.
  const mayBeNull =
    hasHoles || parts.some(({ isPushed }) => !isPushed) || items.some(({ mayBeAbsent }) => mayBeAbsent);
  const schemas = items.map(({ schema }) => schema);
  return { type: "array", items: join(mayBeNull ? [...schemas, nullSchema()] : schemas) };
}

function objectSchema(
  { initial, parts }: BuiltData,
  declared: RawSchema | undefined,
  facts: PartFacts,
): RawSchema | undefined {
  const begin = initial ? facts.initial?.schema : { type: "object" };
  if (begin?.type !== "object" || begin.additionalProperties || parts.some(({ isPushed }) => isPushed))
    return undefined;
  const properties = new Map(Object.entries((begin.properties ?? {}) as Record<string, RawSchema>));
  for (const part of parts) addPart(part, facts.of(part), properties);
  if (properties.size === 0) return undefined;
  // An unknown key may be one of the others and replace its value.
  const others = parts.filter(({ name }) => name === undefined).map((part) => facts.of(part));
  for (const [name, schema] of properties) properties.set(name, join([schema, ...others.map(schemaOf)]));
  const required = requiredNames((begin.required ?? []) as string[], parts, facts);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(others.length > 0 && { additionalProperties: restSchema(others, declared) }),
  };
}

function requiredNames(begin: readonly string[], parts: readonly BuiltPart[], facts: PartFacts): string[] {
  const optional = parts.filter((part) => isOptional(facts.of(part))).map(({ name }) => name);
  if (optional.includes(undefined)) return [];
  const certain = parts.flatMap(({ name, isCertain }) => (name !== undefined && isCertain ? name : []));
  return [...new Set([...begin, ...certain])].filter((name) => !optional.includes(name));
}

function addPart({ name }: BuiltPart, fact: TypeFact | undefined, properties: Map<string, RawSchema>): void {
  // A value that is always undefined is never sent.
  const isNothing = fact?.mayBeAbsent && !fact.schema;
  if (name === undefined || isNothing) return;
  const known = properties.get(name);
  properties.set(name, join(known ? [known, schemaOf(fact)] : [schemaOf(fact)]));
}

const schemaOf = (fact: TypeFact | undefined): RawSchema => fact?.schema ?? {};

/** Values of unknown type may be undefined. */
const isOptional = (fact: TypeFact | undefined) => !hasSchema(fact) || fact.mayBeAbsent;

function restSchema(others: readonly (TypeFact | undefined)[], declared: RawSchema | undefined): RawSchema {
  const { additionalProperties = {} } = (declared ?? {}) as { additionalProperties?: RawSchema };
  if (!isEmpty(additionalProperties) || !others.every(hasSchema)) return additionalProperties;
  return join(others.map(({ schema }) => schema));
}

const hasSchema = (fact: TypeFact | undefined): fact is TypeFact & { readonly schema: RawSchema } =>
  fact?.schema !== undefined && !fact.isOpen && !fact.isUnknown;

function join(schemas: readonly RawSchema[]): RawSchema {
  const distinct = [...new Map(schemas.map((schema) => [schemaKey(schema), schema])).values()];
  if (distinct.some(isEmpty)) return {};
  if (distinct.length === 1) return distinct[0]!;
  const [value, ...others] = distinct.filter((schema) => !isNull(schema));
  if (value && others.length === 0 && "type" in value)
    return value.nullable === true ? value : asNullable(value);
  const union = createUnion(distinct);
  settleUnion(union, () => undefined);
  return union;
}
