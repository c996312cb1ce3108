import type { LogLevel } from "../levels.ts";

/** What is looked for. Everything given must be true of a record; the filters for requests find `http_request` records only. */
export interface LogQuery {
  /** Milliseconds since the epoch; both ends count. */
  from?: number | undefined;
  to?: number | undefined;
  /** This severity and above. */
  level?: LogLevel | undefined;
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
  /** At most this many records. Default 100, at most 1000. */
  limit?: number | undefined;
  /** Where an earlier page of the same query ended. */
  cursor?: string | undefined;
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
