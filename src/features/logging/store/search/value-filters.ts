import type { Filter } from "./filter.ts";
import { instanceField } from "./instance-filter.ts";
import { levelField } from "./level-filter.ts";
import type { FieldValue, LogQuery, LogRecord } from "./query.ts";

/** Filters on field values. Levels and instances exclude blocks before they are opened. */
export function createValueFilters({ where = [], not = [] }: LogQuery): Filter[] {
  const isOther = ({ field }: FieldValue) => field !== levelField;
  const wanted = where.filter((value) => isOther(value) && value.field !== instanceField);
  return [...wanted.map(createWhereFilter), ...not.filter(isOther).map(createNotFilter)];
}

function createWhereFilter(wanted: FieldValue): Filter {
  const has = createComparison(wanted);
  const needle = longestPlainPart(String(wanted.value));
  return { texts: [needle], mayMatch: (lines) => lines.includes(needle), matches: has };
}

function createNotFilter(unwanted: FieldValue): Filter {
  const has = createComparison(unwanted);
  return { mayMatch: () => true, matches: (record) => !has(record) };
}

/** Whether a record has the value. The status of a request is a code and its text, of which the code is enough. */
function createComparison({ field, value }: FieldValue): (record: LogRecord) => boolean {
  const wanted = String(value);
  const isCode = field === "status" && /^\d{3}$/.test(wanted);
  const isWanted = (text: string) => text === wanted || (isCode && text.startsWith(`${wanted} `));
  return (record) => valuesAt(record, field).some((found) => isWanted(toText(found)));
}

/**
 * The longest part of the text that appears unescaped in a line, regardless of the value's type and of who wrote the
 * line.
 */
function longestPlainPart(text: string): string {
  const parts = text.split(/[^\x20-\x7e]|["\\]/);
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest));
}

/** Returns several values if a field name contains a dot. */
function valuesAt(value: unknown, path: string): unknown[] {
  const found = hasField(value, path) ? [value[path]] : [];
  for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
    const name = path.slice(0, dot);
    if (hasField(value, name)) found.push(...valuesAt(value[name], path.slice(dot + 1)));
  }
  return found;
}

/** Whether JSON has this field: arrays have items but no length. */
function hasField(value: unknown, name: string): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && isEnumerable.call(value, name);
}

const { propertyIsEnumerable: isEnumerable } = Object.prototype;

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
