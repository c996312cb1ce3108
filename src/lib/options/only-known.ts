/** Whether messages list an option, by name. It has every name, so that the compiler notices a missing one. */
type Known<Options> = Readonly<Record<keyof Options, boolean>>;

/**
 * Throws if options are not an object or have an unknown name, which TypeScript would have refused.
 *
 * ```ts
 * refuseUnknown<HookOptions>("onServe", options, { id: true, priority: true });
 * ```
 */
export function refuseUnknown<Options extends object>(
  owner: string,
  given: unknown,
  known: Known<Options>,
): void {
  const problem = findUnknown<Options>(owner, given, known);
  if (problem !== undefined) throw new TypeError(problem);
}

/** The same, as a message for an error of another class. */
export function findUnknown<Options extends object>(
  owner: string,
  given: unknown,
  known: Known<Options>,
): string | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return `${owner} expects an object of options, but got ${typeOf(given)}.`;
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return undefined;
  const names = Object.entries(known).flatMap(([name, isListed]) => (isListed ? name : []));
  return `${owner} has no option "${unknown}". It has ${names.join(", ")}.`;
}

/** In words, for a message: `a string`. */
export function typeOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  const type = Array.isArray(value) ? "array" : typeof value;
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}
