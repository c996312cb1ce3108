import type { LogRecord } from "./query.ts";

/**
 * One thing that is asked of a record. Parsing a record costs more than all else in a search, so what can be ruled out
 * on the text as it lies is never parsed; what is left is confirmed on the record.
 */
export interface Filter {
  /** False when none of these lines can match. */
  mayMatch(lines: string): boolean;
  /** The same for a single line, of which more can be said. */
  mayMatchLine?(line: string): boolean;
  matches(record: LogRecord): boolean;
}

/** A field of exactly this value. */
export function createFieldFilter(name: string, value: string): Filter {
  const needle = `"${name}":${JSON.stringify(value)}`;
  return {
    mayMatch: (lines) => lines.includes(needle),
    matches: (record) => record[name] === value,
  };
}

/** All of them together. The first that says no spares the others the work. */
export function combineFilters(filters: readonly Filter[]): Required<Filter> {
  return {
    mayMatch: (lines) => filters.every((filter) => filter.mayMatch(lines)),
    mayMatchLine: (line) => filters.every((filter) => (filter.mayMatchLine ?? filter.mayMatch)(line)),
    matches: (record) => filters.every((filter) => filter.matches(record)),
  };
}
