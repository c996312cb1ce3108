import { breaking, harmless, type SpecChange } from "./change.ts";
import { deref, isObject, type Json } from "./walk.ts";

type Placed = [document: Json, schema: unknown];

/** Deeper than any body that people send; a schema that refers to itself ends here. */
const maxDepth = 12;

/**
 * What changed between two schemas, as far as a client may notice: a request may ask for no more than before, and a
 * response may promise no less.
 */
export function diffSchemas(
  where: string,
  side: "request" | "response",
  one: Placed,
  other: Placed,
  depth = 0,
): SpecChange[] {
  const [old, next] = [deref(...one), deref(...other)];
  if (!isObject(old) || !isObject(next) || depth > maxDepth) return [];
  const places = { where, side, depth };
  return [
    ...diffType(places, old, next),
    ...diffEnum(places, old, next),
    ...diffProperties(places, [one[0], old], [other[0], next]),
    ...(old.items && next.items
      ? diffSchemas(`${where}[]`, side, [one[0], old.items], [other[0], next.items], depth + 1)
      : []),
  ];
}

interface Places {
  readonly where: string;
  readonly side: "request" | "response";
  readonly depth: number;
}

function diffType({ where, side }: Places, old: Json, next: Json): SpecChange[] {
  const changes: SpecChange[] = [];
  if (old.type !== next.type) {
    const [from, to] = [old.type, next.type].map((type) => (type === undefined ? "anything" : String(type)));
    const isWider =
      side === "request" && (next.type === undefined || (old.type === "integer" && next.type === "number"));
    const isNarrower =
      side === "response" && (old.type === undefined || (old.type === "number" && next.type === "integer"));
    const message = `${where} was ${from} and is ${to}`;
    changes.push(isWider || isNarrower ? harmless(message) : breaking(message));
  }
  const [wasNullable, isNullable] = [old.nullable === true, next.nullable === true];
  if (wasNullable !== isNullable) {
    const isBad = side === "request" ? wasNullable : isNullable;
    const message = isNullable ? `${where} may be null now` : `${where} may no longer be null`;
    changes.push(isBad ? breaking(message) : harmless(message));
  }
  return changes;
}

function diffEnum({ where, side }: Places, old: Json, next: Json): SpecChange[] {
  if (!Array.isArray(old.enum) || !Array.isArray(next.enum)) return [];
  const [before, now] = [old.enum.map(String), next.enum.map(String)];
  const gone = before.filter((value) => !now.includes(value));
  const added = now.filter((value) => !before.includes(value));
  return [
    ...gone.map((value) =>
      (side === "request" ? breaking : harmless)(`${where} may no longer be "${value}"`),
    ),
    ...added.map((value) => (side === "response" ? breaking : harmless)(`${where} may be "${value}" now`)),
  ];
}

function diffProperties(
  { where, side, depth }: Places,
  [before, old]: [Json, Json],
  [after, next]: [Json, Json],
): SpecChange[] {
  if (!isObject(old.properties) || !isObject(next.properties)) return [];
  const requiredOf = (schema: Json) => (Array.isArray(schema.required) ? schema.required.map(String) : []);
  const [wasRequired, isRequired] = [requiredOf(old), requiredOf(next)];
  const changes: SpecChange[] = [];
  for (const [name, schema] of Object.entries(next.properties)) {
    const field = `${where}.${name}`;
    if (!(name in old.properties)) {
      const isDemand = side === "request" && isRequired.includes(name);
      changes.push(isDemand ? breaking(`${field} is new and required`) : harmless(`${field} is new`));
      continue;
    }
    if (side === "request" && isRequired.includes(name) && !wasRequired.includes(name)) {
      changes.push(breaking(`${field} has become required`));
    }
    if (side === "response" && wasRequired.includes(name) && !isRequired.includes(name)) {
      changes.push(breaking(`${field} may be missing now`));
    }
    changes.push(...diffSchemas(field, side, [before, old.properties[name]], [after, schema], depth + 1));
  }
  for (const name of Object.keys(old.properties)) {
    if (name in next.properties) continue;
    const message = `${where}.${name} is gone`;
    changes.push(side === "response" ? breaking(message) : harmless(message));
  }
  return changes;
}
