import type { Place } from "../source/source-file.ts";
import type { Argument, Frame } from "./interpreter-context.ts";
import type { Effects, QueryRead, ResponseMade } from "./values/effects.ts";
import type { BodyRead, GuardedInput, Origin, Read, TypePlace } from "./values/reads.ts";
import type { Value } from "./values/value.ts";
import { keyOf } from "./values/value-keys.ts";

/** The result of calling a function with certain arguments. It is computed once and applied to every such call. */
export interface Summary {
  readonly effects: Effects;
  readonly returns: Value;
  /** False if it always throws. */
  readonly comesBack: boolean;
}

/** The same without duplicates: otherwise a helper called from many places would be reported as many times. */
export function compact({ effects, returns, comesBack }: Summary): Summary {
  const held = heldBy(returns, new Set());
  const { reads, bodies, responses, throws, problems } = effects;
  return {
    effects: {
      reads: distinct(reads, (read) => (held.has(read) ? undefined : JSON.stringify(read))),
      uses: [...new Set(effects.uses)],
      bodies: distinct(bodies, (body) => (held.has(body) ? undefined : JSON.stringify(body))),
      responses: distinct(responses, responseKey),
      throws: distinct(
        throws,
        ({ error, place }) =>
          `${placeKey(place)} ${placeKey(error.made)} ${keyOf(error.status)} ${error.message}`,
      ),
      passesOn: effects.passesOn,
      headers: [...new Set(effects.headers)],
      queries: effects.queries,
      problems: distinct(problems, ({ code, file, line }) => `${file}:${line} ${code}`),
    },
    returns,
    comesBack,
  };
}

/** Removes later items with the same key. Items without a key remain. */
function distinct<T>(items: readonly T[], key: (item: T) => string | undefined): T[] {
  if (items.length < 2) return [...items];
  const seen = new Set<string>();
  return items.filter((item) => {
    const text = key(item);
    if (text === undefined) return true;
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

const placeKey = ({ file, start, end }: Place) => `${file}:${start}-${end}`;

const responseKey = ({ place, form, status, data, calls }: ResponseMade) =>
  [place, ...(data?.places ?? []), ...calls].map(placeKey).join() + form + keyOf(status);

/** The reads and bodies that a value contains. */
function heldBy(value: Value, held: Set<Read | GuardedInput>, depth = 0): Set<Read | GuardedInput> {
  if (depth > maxReplaced) return held;
  if (value.kind === "read") held.add(value.read);
  else if (value.kind === "check") held.add(value.read.read);
  else if (value.kind === "body") held.add(value.body);
  else if (value.kind === "opaque") for (const body of value.bodies ?? []) held.add(body);
  else if (value.kind === "union") for (const each of value.values) heldBy(each, held, depth + 1);
  else if (value.kind === "array") for (const each of value.items) heldBy(each, held, depth + 1);
  else if (value.kind === "object")
    for (const each of value.properties.values()) heldBy(each, held, depth + 1);
  return held;
}

/** The maximum depth for finding reads in return values. */
const maxReplaced = 6;

/** Adds the effects of a function to its caller and returns the result of the call. */
export function applySummary(summary: Summary, args: readonly Argument[], call: Place, frame: Frame): Value {
  const { reads, bodies, responses, throws, problems } = summary.effects;
  const isSure = frame.conditions === 0;
  const copies = new Map<Read | GuardedInput, Read | GuardedInput>();
  for (const read of reads) {
    const copy: Read = {
      ...read,
      compared: [...read.compared],
      mentions: [...read.mentions],
      isRequired: read.isRequired && isSure,
      depth: frame.conditions,
    };
    copies.set(read, copy);
    frame.effects.reads.push(copy);
  }
  for (const body of bodies) {
    const copy: BodyRead = {
      ...body,
      types: body.types.flatMap((type) => outwardType(type, args)),
      schema: outward(body.schema, args),
      isRequired: body.isRequired && isSure,
    };
    copies.set(body, copy);
    frame.effects.bodies.push(copy);
  }
  for (const query of summary.effects.queries) {
    const copy: QueryRead = {
      ...query,
      candidates: query.candidates.map((each) => outward(each, args)!),
      isRequired: query.isRequired && isSure,
    };
    copies.set(query, copy);
    frame.effects.queries.push(copy);
  }
  const copyOf = (input: GuardedInput) => (copies.get(input) as GuardedInput | undefined) ?? input;
  frame.effects.uses.push(...summary.effects.uses.map(copyOf));
  const { headers } = frame.effects;
  for (const response of responses) {
    const carried = carryOut(response, args, call);
    frame.effects.responses.push({ ...carried, headers: [...headers, ...carried.headers] });
  }
  headers.push(...summary.effects.headers);
  frame.effects.throws.push(...throws);
  frame.effects.problems.push(...problems);
  if (summary.effects.passesOn) frame.effects.passesOn = true;
  if (!summary.comesBack) frame.isCutOff = true;
  const returned = replace(summary.returns, copies, 0);
  // A returned body has the type of the call expression.
  if (returned.kind === "body") returned.body.types.push({ kind: "expression", place: call });
  return returned;
}

function carryOut(response: ResponseMade, args: readonly Argument[], call: Place): ResponseMade {
  return {
    ...response,
    statusAt: outward(response.statusAt, args),
    typeAt: outward(response.typeAt, args),
    data: outward(response.data, args),
    calls: [...response.calls, call],
  };
}

function outward(origin: Origin | undefined, args: readonly Argument[]): Origin | undefined {
  if (origin?.argument === undefined) return origin;
  const given = args[origin.argument]?.origin;
  if (!given) return { places: origin.places };
  return {
    places: [...given.places, ...origin.places],
    ...(given.argument !== undefined && { argument: given.argument }),
  };
}

/** The type at the caller comes first. */
function outwardType(type: TypePlace, args: readonly Argument[]): TypePlace[] {
  const given = type.argument === undefined ? undefined : args[type.argument]?.origin;
  const { argument: _, ...own } = type;
  if (!given) return [own];
  const outer = given.places.map((place, index) => ({
    kind: type.kind,
    place,
    ...(index === 0 && given.argument !== undefined && { argument: given.argument }),
  }));
  return [...outer, own];
}

function replace(
  value: Value,
  copies: ReadonlyMap<Read | GuardedInput, Read | GuardedInput>,
  depth: number,
): Value {
  const inner = (each: Value) => replace(each, copies, depth + 1);
  if (depth > maxReplaced) return value;
  switch (value.kind) {
    case "read":
      return { ...value, read: (copies.get(value.read) as Read | undefined) ?? value.read };
    case "check":
      return { ...value, read: inner(value.read) as typeof value.read };
    case "opaque":
      return value.bodies
        ? {
            ...value,
            bodies: value.bodies.map((body) => (copies.get(body) as GuardedInput | undefined) ?? body),
          }
        : value;
    case "body":
      return { ...value, body: (copies.get(value.body) as BodyRead | undefined) ?? value.body };
    case "union":
      return { kind: "union", values: value.values.map(inner) };
    case "array":
      return { ...value, items: value.items.map(inner) };
    case "object":
      return {
        ...value,
        properties: new Map([...value.properties].map(([name, each]) => [name, inner(each)])),
      };
    default:
      return value;
  }
}
