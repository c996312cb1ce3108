import type { LogRecord } from "./query.ts";

/**
 * A condition on records. Parsing records dominates the cost of a search, so lines are first excluded by their text.
 * Only the remaining ones are parsed and checked.
 */
export interface Filter {
  /** Texts that the line of each matching record contains, in any case. Only their ASCII characters count. */
  readonly texts?: readonly string[];
  /** False if none of these lines can match. */
  mayMatch(lines: string): boolean;
  /** The same for a single line, where the check can be stricter. */
  mayMatchLine?(line: string): boolean;
  matches(record: LogRecord): boolean;
}

/** Matches a field with exactly this value. */
export function createFieldFilter(name: string, value: string): Filter {
  const needle = `"${name}":${JSON.stringify(value)}`;
  return {
    texts: [needle],
    mayMatch: (lines) => lines.includes(needle),
    matches: (record) => record[name] === value,
  };
}

/** Combines filters. Evaluation stops at the first one that excludes a record. */
export function combineFilters(filters: readonly Filter[]): Required<Filter> {
  return {
    texts: filters.flatMap(({ texts = [] }) => texts),
    mayMatch: (lines) => filters.every((filter) => filter.mayMatch(lines)),
    mayMatchLine: (line) => filters.every((filter) => (filter.mayMatchLine ?? filter.mayMatch)(line)),
    matches: (record) => filters.every((filter) => filter.matches(record)),
  };
}
