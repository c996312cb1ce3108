/**
 * Makes of whatever an application logs something that can be written: secrets covered by name, errors spelled out,
 * and a bound on depth and breadth, so that logging a request or a database client by mistake costs a line, not the
 * process.
 */

const maxDepth = 6;
const maxEntries = 200;

/** Fields whose values never reach a log, however deep they stand and however they are capitalised. */
export const alwaysRedacted = [
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "password",
  "passwordConfirm",
  "oldPassword",
  "token",
  "secret",
] as const;

/** Names that a record gives its own meaning; an application's field of that name gets an underscore behind it. */
const taken = new Set(["time", "level", "msg", "pid", "start_time", "trace_id"]);

export type ToPlain = (data: object) => Record<string, unknown>;

export function createToPlain(redactedFields: readonly string[]): ToPlain {
  const redacted = new Set([...alwaysRedacted, ...redactedFields].map((field) => field.toLowerCase()));

  function plain(value: unknown, depth: number): unknown {
    if (typeof value === "bigint") return value.toString();
    if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    if (depth >= maxDepth) return "[too deep]";
    if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
    if (Array.isArray(value)) return value.slice(0, maxEntries).map((item) => plain(item, depth + 1));
    if (value instanceof Error) return plainError(value, depth);
    if (value instanceof Map || value instanceof Set) return plain([...value], depth);
    return plainObject(value, depth);
  }

  function plainObject(value: object, depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(value).slice(0, maxEntries)) {
      result[key] = redacted.has(key.toLowerCase()) ? "[redacted]" : plain(read(value, key), depth + 1);
    }
    return result;
  }

  function plainError(error: Error, depth: number): Record<string, unknown> {
    const { name, message, stack, cause } = error;
    const own = plainObject(error, depth);
    return { name, message, ...own, stack, ...(cause !== undefined && { cause: plain(cause, depth + 1) }) };
  }

  return (data) => {
    const result: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(plainObject(data, 0))) {
      result[taken.has(key) ? `${key}_` : key] = value;
    }
    return result;
  };
}

function read(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch (error) {
    return `[unreadable: ${String(error)}]`;
  }
}
