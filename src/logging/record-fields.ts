import { createToPlain } from "../lib/plain-data.ts";
import type { Redactor } from "../lib/redactor.ts";
import { isError } from "../lib/thrown.ts";

/** What an application logs beside a message, as the fields of a record. */
export interface RecordFields {
  readonly fields: Record<string, unknown>;
  /** The characters in them, without those that JSON adds. */
  readonly size: number;
}

export type ToFields = (data: unknown) => RecordFields;

/** Names that a record gives its own meaning. An application's field of that name gets an underscore appended. */
const reserved = new Set(["time", "level", "msg", "pid", "start_time", "trace_id"]);

export function createToFields(redactor: Redactor): ToFields {
  const toPlain = createToPlain(redactor);
  return (data) => {
    if (data === undefined) return { fields: {}, size: 0 };
    const { value, size } = toPlain(isError(data) ? { error: data } : data);
    return { fields: isRecord(value) ? renameReserved(value) : { data: value }, size };
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function renameReserved(fields: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) result[reserved.has(name) ? `${name}_` : name] = fields[name];
  return result;
}
