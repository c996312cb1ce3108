import type { FieldValue, LogQuery } from "./query.ts";

/** The name of the instance is stored once per block and not in its lines. */
export const instanceField = "instance";

const isInstance = ({ field }: FieldValue) => field === instanceField;

/** The instances that a record must have. More than one contradict each other. */
export function wantedInstances({ instance, where = [] }: LogQuery): string[] {
  const named = where.filter(isInstance).map(({ value }) => String(value));
  return [...new Set(instance === undefined ? named : [instance, ...named])];
}
