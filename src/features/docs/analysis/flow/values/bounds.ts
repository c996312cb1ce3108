import type { Primitive } from "./primitive.ts";
import type { Bounds, Read } from "./reads.ts";
import type { ReadValue } from "./value.ts";

/** The limits that a condition sets for a parameter. */
export interface Bound {
  readonly read: ReadValue;
  readonly bounds: Bounds;
}

/** `n < 1`: every value for which the comparison is true, or false, is outside these bounds. */
export function boundsOfComparison(
  read: ReadValue,
  operator: string,
  limit: Primitive,
  isLeft: boolean,
): { readonly trueOutside?: readonly Bound[]; readonly falseOutside?: readonly Bound[] } {
  if (typeof limit !== "number" || !Number.isFinite(limit)) return {};
  const side = isLeft ? operator : mirrored[operator];
  if (read.form === "length") return lengthBounds(read, side ?? operator, limit);
  if (read.form !== "number") return {};
  const bound = (bounds: Bounds): Bound[] => [{ read, bounds }];
  switch (side) {
    case "<":
      return {
        trueOutside: bound({ minimum: limit }),
        falseOutside: bound({ maximum: limit, isMaximumExclusive: true }),
      };
    case "<=":
      return {
        trueOutside: bound({ minimum: limit, isMinimumExclusive: true }),
        falseOutside: bound({ maximum: limit }),
      };
    case ">":
      return {
        trueOutside: bound({ maximum: limit }),
        falseOutside: bound({ minimum: limit, isMinimumExclusive: true }),
      };
    case ">=":
      return {
        trueOutside: bound({ maximum: limit, isMaximumExclusive: true }),
        falseOutside: bound({ minimum: limit }),
      };
    default:
      return {};
  }
}

/** `1 > n` means `n < 1`. */
const mirrored: Record<string, string> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

function lengthBounds(read: ReadValue, operator: string, limit: number) {
  const atLeast = (minLength: number): Bound[] => (minLength > 0 ? [{ read, bounds: { minLength } }] : []);
  // A string that is trimmed first may be longer.
  const atMost = (maxLength: number): Bound[] => (read.isTrimmed ? [] : [{ read, bounds: { maxLength } }]);
  switch (operator) {
    case "<":
      return { trueOutside: atLeast(limit), falseOutside: atMost(limit - 1) };
    case "<=":
      return { trueOutside: atLeast(limit + 1), falseOutside: atMost(limit) };
    case ">":
      return { trueOutside: atMost(limit), falseOutside: atLeast(limit + 1) };
    case ">=":
      return { trueOutside: atMost(limit - 1), falseOutside: atLeast(limit) };
    case "===":
    case "==":
      return limit === 0
        ? { trueOutside: atLeast(1) }
        : { falseOutside: [...atLeast(limit), ...atMost(limit)] };
    case "!==":
    case "!=":
      return limit === 0
        ? { falseOutside: atLeast(1) }
        : { trueOutside: [...atLeast(limit), ...atMost(limit)] };
    default:
      return {};
  }
}

/** Values outside these bounds are rejected. */
export function markBounds({ read: { read }, bounds }: Bound): void {
  read.bounds = joinBounds(read.bounds, bounds);
}

/** The intersection of both. */
export function joinBounds(one: Bounds | undefined, other: Bounds | undefined): Bounds | undefined {
  if (!one || !other) return one ?? other;
  const [low, high] = [higher(one, other), lower(one, other)];
  return {
    ...low,
    ...high,
    ...defined("minLength", largest(one.minLength, other.minLength)),
    ...defined("maxLength", smallest(one.maxLength, other.maxLength)),
    ...defined("pattern", one.pattern ?? other.pattern),
  };
}

function higher(one: Bounds, other: Bounds): Bounds {
  const from = (other.minimum ?? -Infinity) > (one.minimum ?? -Infinity) ? other : one;
  const isSame = one.minimum === other.minimum;
  const isExclusive = isSame ? one.isMinimumExclusive || other.isMinimumExclusive : from.isMinimumExclusive;
  return { ...defined("minimum", from.minimum), ...(isExclusive && { isMinimumExclusive: true }) };
}

function lower(one: Bounds, other: Bounds): Bounds {
  const from = (other.maximum ?? Infinity) < (one.maximum ?? Infinity) ? other : one;
  const isSame = one.maximum === other.maximum;
  const isExclusive = isSame ? one.isMaximumExclusive || other.isMaximumExclusive : from.isMaximumExclusive;
  return { ...defined("maximum", from.maximum), ...(isExclusive && { isMaximumExclusive: true }) };
}

const largest = (one = -Infinity, other = -Infinity) => finite(Math.max(one, other));
const smallest = (one = Infinity, other = Infinity) => finite(Math.min(one, other));
const finite = (value: number) => (Number.isFinite(value) ? value : undefined);

const defined = <T>(name: string, value: T | undefined): Bounds =>
  value === undefined ? {} : ({ [name]: value } as Bounds);

/** The bounds as schema keywords. An integer above 0 is at least 1. */
export function schemaOfBounds({ bounds = {} }: Pick<Read, "bounds">, type: string): Record<string, unknown> {
  const { minimum, isMinimumExclusive, maximum, isMaximumExclusive, minLength, maxLength, pattern } = bounds;
  if (type === "string")
    return {
      ...defined("minLength", pattern === undefined ? minLength : undefined),
      ...defined("maxLength", maxLength),
      ...defined("pattern", pattern),
    };
  if (type !== "number" && type !== "integer") return {};
  const isWhole = type === "integer";
  const lowest = isWhole && minimum !== undefined ? nextWhole(minimum, isMinimumExclusive, 1) : minimum;
  const highest = isWhole && maximum !== undefined ? nextWhole(maximum, isMaximumExclusive, -1) : maximum;
  return {
    ...defined("minimum", lowest),
    ...(!isWhole && isMinimumExclusive && { exclusiveMinimum: true }),
    ...defined("maximum", highest),
    ...(!isWhole && isMaximumExclusive && { exclusiveMaximum: true }),
  };
}

function nextWhole(limit: number, isExclusive: boolean | undefined, step: 1 | -1): number {
  if (!Number.isInteger(limit)) return step === 1 ? Math.ceil(limit) : Math.floor(limit);
  return isExclusive ? limit + step : limit;
}

/** `/^(asc|desc)$/` allows these words; `undefined` for any other pattern. */
export function wordsOfPattern(pattern: string): string[] | undefined {
  const [, inner, word] = /^\^(?:\((?:\?:)?([\w -]+(?:\|[\w -]+)*)\)|([\w -]+))\$$/.exec(pattern) ?? [];
  return (inner ?? word)?.split("|");
}
