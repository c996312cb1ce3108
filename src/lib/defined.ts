/** The fields of an object without `undefined`: those that may be undefined are optional. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Copies an object without the fields that are `undefined`. An optional field must be absent instead of `undefined`,
 * for example because its presence is part of a response.
 *
 * ```ts
 * return defined({ id, name, email: row.email ?? undefined });
 * ```
 */
export function defined<T extends object>(fields: T): Defined<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}
