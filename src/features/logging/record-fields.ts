import { createToPlain } from "../../lib/redaction/plain-data.ts";
import type { Redactor } from "../../lib/redaction/redactor.ts";
import { isError } from "../../lib/thrown.ts";

/** Data logged with a message, as fields of a record. */
export interface RecordFields {
  readonly fields: Record<string, unknown>;
  /** Number of characters, without those added by JSON. */
  readonly size: number;
}

export type ToFields = (data: unknown) => RecordFields;

/** Names with a fixed meaning in records. An underscore is appended to application fields with these names. */
const reserved = new Set(["time", "level", "msg", "pid", "start_time", "trace_id", "instance"]);

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
