import type { LogLevel, LogLevelNumber } from "../../levels.ts";

/** Filters for log records; all given filters must match. Filters for requests only match `http_request` records. */
export interface LogQuery {
  /** Inclusive, in milliseconds since the epoch. */
  from?: number | undefined;
  /** Inclusive, in milliseconds since the epoch. */
  to?: number | undefined;
  /** Minimum level, by name or number. */
  level?: LogLevel | LogLevelNumber | undefined;
  /** Exactly these levels. */
  levels?: readonly (LogLevel | LogLevelNumber)[] | undefined;
  /** Text anywhere in the record, case-insensitive. */
  text?: string | undefined;
  /** All records of one trace. */
  traceId?: string | undefined;
  /** The instance that wrote the record. */
  instance?: string | undefined;
  /** The record's `event`, such as `error`. */
  event?: string | undefined;
  /** Request method, case-insensitive. */
  method?: string | undefined;
  /** Response status code, or a class such as `4xx`. */
  status?: number | StatusClass | undefined;
  /**
   * Request path. `*` and `{rest...}` match any characters, `{name}` matches one segment. A path without these matches
   * exactly.
   */
  path?: string | undefined;
  /** Request duration, inclusive. */
  minDurationMs?: number | undefined;
  /** Request duration, inclusive. */
  maxDurationMs?: number | undefined;
  /** Field values that a record must have. All must match. */
  where?: readonly FieldValue[] | undefined;
  /** Field values that a record must not have. Records without the field match. */
  not?: readonly FieldValue[] | undefined;
  /** Maximum number of records. Default 100, maximum 1000. */
  limit?: number | undefined;
  /** The cursor of the previous page of the same query. */
  cursor?: string | undefined;
}

/** A field of a record and its value. */
export interface FieldValue {
  /** Field name; dots refer to nested fields: `user.id`, `tags.0`. */
  readonly field: string;
  /**
   * Compared as text, so `"17"` and `17` are equal. Objects and arrays are compared as JSON. `level` is
   * case-insensitive. For `status`, the code is enough.
   */
  readonly value: string | number | boolean | null;
}

export type StatusClass = `${1 | 2 | 3 | 4 | 5}xx`;

/** A record as it was written, with the `instance` that wrote it. */
export type LogRecord = { time: string; level: string; msg: string; event: string } & Record<string, unknown>;

/** A page of log records. */
export interface LogPage {
  /** Newest first. */
  readonly items: LogRecord[];
  /**
   * Present if there may be more records. Even an empty page can have a cursor, because each page searches a limited
   * number of blocks.
   */
  readonly cursor?: string;
}

export const defaultLimit = 100;
export const maxLimit = 1000;

/** Whether a filter applies to requests only. */
export function isAboutRequests(query: LogQuery): boolean {
  const { method, status, path, minDurationMs, maxDurationMs } = query;
  return [method, status, path, minDurationMs, maxDurationMs].some((value) => value !== undefined);
}
