import type { LogRecord } from "../data/records.ts";

/** How a value of a record is said in a query. */
export interface ValueToken {
  readonly name: string;
  readonly text: string;
  /** Whether the name is meant as a name, and not as what the query means by it. */
  readonly isPlain: boolean;
}

const ofRequests = ["status", "method", "path", "route", "dur"];

/** Some fields have a word of their own; a field that an application called like one of them is not meant by it. */
export function tokenOf({ event }: LogRecord, field: string, value: string): ValueToken {
  if (field === "trace_id" && /^[A-Za-z0-9]{18}$/.test(value))
    return { name: "trace", text: value, isPlain: false };
  if (field === "level") return { name: field, text: value.toLowerCase(), isPlain: false };
  const isOther = ofRequests.includes(field) ? event !== "http_request" : field === "trace";
  // A path with a letter that a pattern has is compared as it is.
  const isPattern = field === "path" && /[*{]/.test(value);
  return { name: field, text: value, isPlain: isOther || isPattern };
}
