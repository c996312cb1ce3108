/** The severities of the contract, with their numbers. */
export const levels = { debug: -4, info: 0, warn: 4, error: 8 } as const;

export type LogLevel = keyof typeof levels;

export const levelNames = Object.keys(levels) as LogLevel[];

export function isLogLevel(value: unknown): value is LogLevel {
  return typeof value === "string" && Object.hasOwn(levels, value);
}
