import { breaking, harmless, type SpecChange } from "./change.ts";
import { deref, isObject, type Json } from "./walk.ts";

type Placed = [document: Json, schema: unknown];

/** Pairs of references already compared, so that recursion ends and shared schemas are reported once. */
export type ReportedPairs = Set<string>;

export function pairOf(one: string, other: string): string {
  return `${one} ${other}`;
}

/** A schema, or a field in it. */
export interface Subject {
  /** Such as "GET /todos: response 200", or the name of a schema. */
  readonly name: string;
  /** Such as "owner.name"; empty for the schema itself. */
  readonly field?: string;
}

/** The end of the name of a request body. Its fields are called request fields. */
export const requestBody = "request body";

function labelOf({ name, field = "" }: Subject): string {
  if (field === "") return name;
  return name.endsWith(requestBody)
    ? `${name.slice(0, -requestBody.length)}request field \`${field}\``
    : `${name}: field \`${field}\``;
}

function within({ name, field = "" }: Subject, inner: string): Subject {
  return { name, field: field === "" || inner.startsWith("[") ? `${field}${inner}` : `${field}.${inner}` };
}

function as({ name, field = "" }: Subject, alternative: string): Subject {
  return field === "" ? { name: `${name} (${alternative})` } : { name, field: `${field} (${alternative})` };
}

/**
 * How a schema changed from a client's point of view: a request must not require more than before, and a response must
 * not guarantee less.
 */
export function diffSchemas(
  subject: Subject,
  side: "request" | "response",
  one: Placed,
  other: Placed,
  reported: ReportedPairs = new Set(),
): SpecChange[] {
  const [old, next] = [resolve(one), resolve(other)];
  if (!old || !next) return [];
  const places = { subject, label: labelOf(subject), side, reported };
  const [oldRef, nextRef] = [refOf(one[1]), refOf(other[1])];
  if (oldRef !== undefined && nextRef !== undefined) {
    const pair = pairOf(oldRef, nextRef);
    // Keywords next to a reference belong to the place, not to the referenced schema.
    if (reported.has(pair)) return diffNullable(places, old, next);
    reported.add(pair);
  }
  if (alternativesOf(old) || alternativesOf(next))
    return [...diffNullable(places, old, next), ...diffAlternatives(places, one, other)];
  return [
    ...diffType(places, old, next),
    ...diffNullable(places, old, next),
    ...diffEnum(places, old, next),
    ...diffProperties(places, [one[0], old], [other[0], next]),
    ...(old.items && next.items
      ? diffSchemas(within(subject, "[]"), side, [one[0], old.items], [other[0], next.items], reported)
      : []),
  ];
}

interface Places {
  readonly subject: Subject;
  readonly label: string;
  readonly side: "request" | "response";
  readonly reported: ReportedPairs;
}

/** A reference may be the only member of an `allOf`, so that keywords can be added next to it. */
function alone(schema: unknown): unknown {
  return isObject(schema) && Array.isArray(schema.allOf) && schema.allOf.length === 1
    ? schema.allOf[0]
    : undefined;
}

function refOf(schema: unknown): string | undefined {
  const at = alone(schema) ?? schema;
  return isObject(at) && typeof at.$ref === "string" ? at.$ref : undefined;
}

function resolve([document, schema]: Placed): Json | undefined {
  const resolved = deref(document, schema);
  const inner = deref(document, alone(resolved));
  if (isObject(resolved) && isObject(inner)) return { ...inner, ...resolved };
  return isObject(resolved) ? resolved : undefined;
}

function diffType({ label, side }: Places, old: Json, next: Json): SpecChange[] {
  if (old.type === next.type) return [];
  const [from, to] = [old.type, next.type].map((type) => (type === undefined ? "anything" : String(type)));
  const isWider =
    side === "request" && (next.type === undefined || (old.type === "integer" && next.type === "number"));
  const isNarrower =
    side === "response" && (old.type === undefined || (old.type === "number" && next.type === "integer"));
  return [(isWider || isNarrower ? harmless : breaking)(`${label}: ${from} → ${to}`)];
}

function diffNullable({ label, side }: Places, old: Json, next: Json): SpecChange[] {
  const [wasNullable, isNullable] = [old.nullable === true, next.nullable === true];
  if (wasNullable === isNullable) return [];
  const isBad = side === "request" ? wasNullable : isNullable;
  const message = isNullable ? `${label} can now be null` : `${label} can no longer be null`;
  return [(isBad ? breaking : harmless)(message)];
}

/** How the alternatives of a schema changed. They are matched by name, or by type if they have none. */
function diffAlternatives(
  { subject, label: place, side, reported }: Places,
  one: Placed,
  other: Placed,
): SpecChange[] {
  const [old, next] = [labelled(one), labelled(other)];
  const gone = [...old.keys()].filter((label) => !next.has(label));
  const added = [...next.keys()].filter((label) => !old.has(label));
  const both = [...old].flatMap(([label, schemas]) => {
    const now = next.get(label) ?? [];
    // Several alternatives of the same type cannot be matched.
    if (schemas.length > 1 || now.length !== 1) return [];
    return diffSchemas(as(subject, label), side, [one[0], schemas[0]], [other[0], now[0]], reported);
  });
  return [
    ...gone.map((label) => (side === "request" ? breaking : harmless)(`${place} can no longer be ${label}`)),
    ...added.map((label) => (side === "response" ? breaking : harmless)(`${place} can now be ${label}`)),
    ...both,
  ];
}

function alternativesOf({ anyOf, oneOf }: Json): unknown[] | undefined {
  if (Array.isArray(anyOf)) return anyOf;
  return Array.isArray(oneOf) ? oneOf : undefined;
}

function labelled([document, schema]: Placed): Map<string, unknown[]> {
  const single = refOf(schema) === undefined && isObject(schema) ? { ...schema, nullable: false } : schema;
  const alternatives = alternativesOf(resolve([document, schema]) ?? {}) ?? [single];
  const labelOf = (each: unknown) => {
    const type = resolve([document, each])?.type;
    return refOf(each)?.split("/").at(-1) ?? (type === undefined ? "anything" : String(type));
  };
  return Map.groupBy(alternatives, labelOf);
}

function diffEnum({ label, side }: Places, old: Json, next: Json): SpecChange[] {
  if (!Array.isArray(old.enum) || !Array.isArray(next.enum)) return [];
  const [before, now] = [old.enum.map(String), next.enum.map(String)];
  const gone = before.filter((value) => !now.includes(value));
  const added = now.filter((value) => !before.includes(value));
  return [
    ...gone.map((value) =>
      (side === "request" ? breaking : harmless)(`${label} can no longer be "${value}"`),
    ),
    ...added.map((value) => (side === "response" ? breaking : harmless)(`${label} can now be "${value}"`)),
  ];
}

function diffProperties(
  { subject, side, reported }: Places,
  [before, old]: [Json, Json],
  [after, next]: [Json, Json],
): SpecChange[] {
  if (!isObject(old.properties) || !isObject(next.properties)) return [];
  const requiredOf = (schema: Json) => (Array.isArray(schema.required) ? schema.required.map(String) : []);
  const [wasRequired, isRequired] = [requiredOf(old), requiredOf(next)];
  const changes: SpecChange[] = [];
  for (const [name, schema] of Object.entries(next.properties)) {
    const field = within(subject, name);
    const label = labelOf(field);
    if (!Object.hasOwn(old.properties, name)) {
      const isDemand = side === "request" && isRequired.includes(name);
      changes.push(isDemand ? breaking(`${label} added and required`) : harmless(`${label} added`));
      continue;
    }
    if (side === "request" && isRequired.includes(name) && !wasRequired.includes(name)) {
      changes.push(breaking(`${label} is now required`));
    }
    if (side === "response" && wasRequired.includes(name) && !isRequired.includes(name)) {
      changes.push(breaking(`${label} is now optional`));
    }
    changes.push(...diffSchemas(field, side, [before, old.properties[name]], [after, schema], reported));
  }
  for (const name of Object.keys(old.properties)) {
    if (Object.hasOwn(next.properties, name)) continue;
    const message = `${labelOf(within(subject, name))} removed`;
    changes.push(side === "response" ? breaking(message) : harmless(message));
  }
  return changes;
}
