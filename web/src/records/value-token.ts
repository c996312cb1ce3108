import type { LogRecord } from "../../../src/features/logging/wire.ts";

/** A record's value as a token of a query. */
export interface ValueToken {
  readonly name: string;
  readonly text: string;
  /** Whether the name is a plain field name without special syntax. */
  readonly isPlain: boolean;
}

const ofRequests = ["status", "method", "path", "route", "dur"];

/** Some fields have special syntax. Application fields with the same name are written as plain field names. */
export function tokenOf({ event }: LogRecord, field: string, value: string): ValueToken {
  if (field === "trace_id" && /^[A-Za-z0-9]{18}$/.test(value))
    return { name: "trace", text: value, isPlain: false };
  if (field === "level") return { name: field, text: value.toLowerCase(), isPlain: false };
  const isOther = ofRequests.includes(field) ? event !== "http_request" : field === "trace";
  // A path that contains pattern characters is compared literally.
  const isPattern = field === "path" && /[*{]/.test(value);
  return { name: field, text: value, isPlain: isOther || isPattern };
}
