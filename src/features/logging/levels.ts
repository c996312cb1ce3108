/** Log levels of the contract and their numeric values. */
export const levels = { debug: -4, info: 0, warn: 4, error: 8 } as const;

/** "debug", "info", "warn" or "error". */
export type LogLevel = keyof typeof levels;

export const levelNames = Object.keys(levels) as LogLevel[];

export function isLogLevel(value: unknown): value is LogLevel {
  return typeof value === "string" && Object.hasOwn(levels, value);
}
