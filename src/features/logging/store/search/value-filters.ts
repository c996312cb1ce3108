import type { Filter } from "./filter.ts";
import { instanceField } from "./instance-filter.ts";
import { levelField } from "./level-filter.ts";
import type { FieldValue, LogQuery } from "./query.ts";

/** Filters on field values. Levels and instances exclude blocks before they are opened. */
export function createValueFilters({ where = [], not = [] }: LogQuery): Filter[] {
  const isOther = ({ field }: FieldValue) => field !== levelField;
  const wanted = where.filter((value) => isOther(value) && value.field !== instanceField);
  return [...wanted.map(createWhereFilter), ...not.filter(isOther).map(createNotFilter)];
}

function createWhereFilter({ field, value }: FieldValue): Filter {
  const wanted = String(value);
  const needle = longestPlainPart(wanted);
  return {
    texts: [needle],
    mayMatch: (lines) => lines.includes(needle),
    matches: (record) => valuesAt(record, field).some((found) => toText(found) === wanted),
  };
}

function createNotFilter({ field, value }: FieldValue): Filter {
  const unwanted = String(value);
  return {
    mayMatch: () => true,
    matches: (record) => !valuesAt(record, field).some((found) => toText(found) === unwanted),
  };
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
