import type { LogLevel } from "../levels.ts";

/** What is looked for. Everything given must be true of a record; the filters for requests find `http_request` records only. */
export interface LogQuery {
  /** Milliseconds since the epoch; both ends count. */
  from?: number | undefined;
  to?: number | undefined;
  /** This severity and above. */
  level?: LogLevel | undefined;
  /** Exactly these. */
  levels?: readonly LogLevel[] | undefined;
  /** Anywhere in the record, in any case. */
  text?: string | undefined;
  traceId?: string | undefined;
  /** The record's `event`, such as `error`. */
  event?: string | undefined;
  /** Of a request: its method, in any case. */
  method?: string | undefined;
  /** Of a request: the code of its answer, or all codes of a class. */
  status?: number | StatusClass | undefined;
  /**
   * Of a request: its path. `*` stands for anything, and so does `{rest...}`; `{name}` stands for one segment. A path
   * without any of them is meant exactly.
   */
  path?: string | undefined;
  /** Of a request: how long it took; both ends count. */
  minDurationMs?: number | undefined;
  maxDurationMs?: number | undefined;
  /** What fields must have, all of it. */
  where?: readonly FieldValue[] | undefined;
  /** What fields must not have, none of it; a record without the field is fine. */
  not?: readonly FieldValue[] | undefined;
  /** At most this many records. Default 100, at most 1000. */
  limit?: number | undefined;
  /** Where an earlier page of the same query ended. */
  cursor?: string | undefined;
}

/** A field of a record and its value. */
export interface FieldValue {
  /** Its name; dots lead into what is nested: `user.id`, `tags.0`. */
  readonly field: string;
  /** Compared as text, so `"17"` and `17` are alike; what is not a plain value has the text of its JSON. `level` in any case. */
  readonly value: string | number | boolean | null;
}

export type StatusClass = `${1 | 2 | 3 | 4 | 5}xx`;

/** A record as it was written. */
export type LogRecord = { time: string; level: string; msg: string; event: string } & Record<string, unknown>;

export interface LogPage {
  /** Newest first. */
  readonly items: LogRecord[];
  /** Present while there may be more; a page can be empty and still have one, because a search opens a bounded number of blocks. */
  readonly cursor?: string;
}

export const defaultLimit = 100;
export const maxLimit = 1000;

/** Whether it asks for something that only requests have. */
export function isAboutRequests(query: LogQuery): boolean {
  const { method, status, path, minDurationMs, maxDurationMs } = query;
  return [method, status, path, minDurationMs, maxDurationMs].some((value) => value !== undefined);
}
