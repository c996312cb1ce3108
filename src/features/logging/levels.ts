/** Log levels of the contract and their numbers. */
export const levels = { debug: -4, info: 0, warn: 4, error: 8 } as const;

/** "debug", "info", "warn" or "error". */
export type LogLevel = keyof typeof levels;

/** The number of a level: -4, 0, 4 or 8. */
export type LogLevelNumber = (typeof levels)[LogLevel];

export const levelNames = Object.keys(levels) as LogLevel[];

/** For error messages. */
export const expectedLevel = `one of ${levelNames.join(", ")}, or ${Object.values(levels).join(", ")}`;

/** Finds a level by its name or its number. A number can be a text, as in the environment and in queries. */
export function findLevel(value: unknown): LogLevel | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return levelNames.find((name) => name === value || String(levels[name]) === String(value));
}

/** Throws an error that describes the expected value. */
export function parseLevel(value: unknown): LogLevel {
  const level = findLevel(value);
  if (level === undefined) throw new Error(expectedLevel);
  return level;
}

/** The level that code passes to a function. */
export function demandLevel(value: LogLevel | LogLevelNumber): LogLevel {
  const level = findLevel(value);
  if (level === undefined) throw new TypeError(`Invalid log level "${value}". It must be ${expectedLevel}.`);
  return level;
}
