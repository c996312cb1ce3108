import type { Schema } from "../../../../src/features/docs/wire.ts";
import { namedNumber } from "./named-values.ts";

/** A number that fits the name of the field, or else the first one within the limits. */
export function numberExample(schema: Schema, name: string): number {
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const step = schema.multipleOf ?? 1;
  const wish = namedNumber(name) ?? 1;
  const candidates = [
    wish,
    Math.round(wish),
    1,
    0,
    minimum,
    maximum,
    // The nearest multiples within the limits, and the next ones if a limit itself is not allowed.
    Math.ceil(minimum / step) * step,
    (Math.floor(minimum / step) + 1) * step,
    Math.floor(maximum / step) * step,
    (Math.ceil(maximum / step) - 1) * step,
    (minimum + maximum) / 2,
  ];
  const isAllowed = (value: number) =>
    Number.isFinite(value) &&
    (schema.exclusiveMinimum ? value > minimum : value >= minimum) &&
    (schema.exclusiveMaximum ? value < maximum : value <= maximum) &&
    (schema.multipleOf === undefined || Number.isInteger(value / schema.multipleOf)) &&
    (type !== "integer" || Number.isInteger(value));
  return candidates.find(isAllowed) ?? 1;
}
