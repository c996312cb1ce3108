import type { RawComponent, RawSchema } from "../types/query.ts";
import { plainName } from "../types/schema/spelling.ts";
import { type Discriminator, findDiscriminator, isNull, type Lookup } from "../types/schema/union.ts";

type Components = Readonly<Record<string, RawComponent>>;

/** Adds components for the members of unions that got a name. Types in the source keep their own names. */
export function nameMembers(components: Components): Components {
  const taken = new Set(Object.values(components).map(({ name }) => name));
  const lookup: Lookup = (identity) => components[identity]?.schema;
  const all = Object.entries(components).map(([identity, component]) => {
    if (!hasUnion(component.schema)) return { [identity]: component };
    const members = new MemberNames(identity, component, lookup, (name) => taken.has(name));
    return { [identity]: { ...component, schema: members.name(component.schema) }, ...members.components };
  });
  return Object.assign({}, ...all);
}

const known = new WeakMap<RawSchema, boolean>();

function hasUnion(schema: RawSchema): boolean {
  const found = known.get(schema) ?? JSON.stringify(schema).includes('"oneOf"');
  known.set(schema, found);
  return found;
}

/**
 * Names the members of a union if a discriminator can distinguish them, because it can only map to components: the
 * members of `type Payment = { by: "card"; … } | { by: "cash"; … }` become `PaymentCard` and `PaymentCash`.
 */
export class MemberNames {
  readonly components: Record<string, RawComponent> = {};
  private readonly identity: string;
  private readonly holder: Omit<RawComponent, "schema">;
  private readonly lookup: Lookup;
  private readonly isTaken: (name: string) => boolean;

  constructor(
    identity: string,
    holder: Omit<RawComponent, "schema">,
    lookup: Lookup,
    isTaken: (name: string) => boolean = () => false,
  ) {
    this.identity = identity;
    this.holder = holder;
    this.lookup = lookup;
    this.isTaken = isTaken;
  }

  /** The schema with references to the members of its unions. */
  name(schema: RawSchema, base = this.holder.name): RawSchema {
    const inner = mapParts(schema, (part, word) => this.name(part, base + plainName(word)));
    const { oneOf, discriminator, ...rest } = inner;
    if (!Array.isArray(oneOf) || discriminator) return inner;
    const nulls = oneOf.filter(isNull);
    const union = this.refer(
      oneOf.filter((each) => !isNull(each)),
      base,
    );
    if (!union) return inner;
    // A discriminator maps to objects, so null remains outside.
    return { ...rest, ...(nulls.length > 0 ? { oneOf: [union, ...nulls] } : union) };
  }

  private refer(members: readonly RawSchema[], base: string): RawSchema | undefined {
    if (members.every(({ $ref }) => $ref)) return undefined;
    const keys = members.map(({ $ref }, index) => ($ref as string | undefined) ?? `${index}`);
    const own = new Map(members.flatMap((member, index) => (member.$ref ? [] : [[`${index}`, member]])));
    const found = findDiscriminator(
      keys.map(($ref) => ({ $ref })),
      (key) => own.get(key) ?? this.lookup(key),
    );
    const identities = found && this.add(own, found, base);
    if (!identities) return undefined;
    const target = (key: string) => identities.get(key) ?? key;
    const mapping = Object.entries(found.mapping).map(([value, key]) => [value, target(key)]);
    return {
      oneOf: keys.map((key) => ({ $ref: target(key) })),
      discriminator: { propertyName: found.propertyName, mapping: Object.fromEntries(mapping) },
    };
  }

  /** The identities of the members; `undefined` if one of them has no name. */
  private add(
    members: ReadonlyMap<string, RawSchema>,
    discriminator: Discriminator,
    base: string,
  ): Map<string, string> | undefined {
    const names = [...members.keys()].map((key) => memberName(base, discriminator, key));
    const known = Object.values(this.components).map(({ name }) => name);
    const isFree = (name: string | undefined) =>
      name !== undefined && !known.includes(name) && !this.isTaken(name);
    if (new Set(names).size < names.length || !names.every(isFree)) return undefined;
    const { file, line } = this.holder;
    const identities = [...members].map(([key, schema], index): [string, string] => {
      const identity = `${this.identity}#${names[index]}`;
      this.components[identity] = { name: names[index]!, schema, file, line };
      return [key, identity];
    });
    return new Map(identities);
  }
}

/** Names made of more values are too long to read. */
const mostValues = 3;

function memberName(base: string, { mapping }: Discriminator, key: string): string | undefined {
  const words = Object.keys(mapping)
    .filter((value) => mapping[value] === key)
    .map(plainName);
  return words.length > mostValues || words.includes("") ? undefined : base + words.join("Or");
}

/** The schema with all inner schemas replaced. `word` is the property name, if there is one. */
function mapParts(schema: RawSchema, replace: (part: RawSchema, word: string) => RawSchema): RawSchema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === "properties") return [keyword, mapValues(value as Record<string, RawSchema>, replace)];
    if (lists.has(keyword)) return [keyword, (value as RawSchema[]).map((part) => replace(part, ""))];
    const isPart = single.has(keyword) && typeof value === "object" && value !== null;
    return [keyword, isPart ? replace(value as RawSchema, "") : value];
  });
  return Object.fromEntries(entries);
}

function mapValues(
  properties: Readonly<Record<string, RawSchema>>,
  replace: (part: RawSchema, word: string) => RawSchema,
): Record<string, RawSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, replace(part, name)]));
}

const lists = new Set(["oneOf", "anyOf", "allOf"]);
const single = new Set(["items", "additionalProperties", "not"]);
