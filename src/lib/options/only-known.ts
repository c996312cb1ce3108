/**
 * Throws if options are not an object or have an unknown name, which TypeScript would have refused. `known` has every
 * name, so that the compiler notices a missing one, and whether messages list it.
 *
 * ```ts
 * refuseUnknown<HookOptions>("onServe", options, { id: true, priority: true });
 * ```
 */
export function refuseUnknown<Options extends object>(
  owner: string,
  given: unknown,
  known: Readonly<Record<keyof Options, boolean>>,
): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError(`${owner} expects an object of options, but got ${typeOf(given)}.`);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const names = Object.entries(known).flatMap(([name, isListed]) => (isListed ? name : []));
  throw new TypeError(`${owner} has no option "${unknown}". Its options are ${names.join(", ")}.`);
}

/** In words, for a message: `a string`. */
export function typeOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  const type = Array.isArray(value) ? "array" : typeof value;
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}
