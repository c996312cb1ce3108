import { isTraceId, traceIdLength } from "../../lib/ids.ts";
import { invalidParameter, query } from "./query.ts";
import type { Problems, QueryValues } from "./read-query.ts";

const statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;

/** Matching time is proportional to pattern length × path length. */
export const maxPathLength = 1_024;

const duration = query.parsed("a number of milliseconds", (text) =>
  /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined,
);

/** Parameters that filter requests, wherever requests are listed. */
export const requestFilters = {
  method: query.matching("a method such as GET", /^[a-z-]+$/i),
  status: query.parsed("a status code such as 404, or a class such as 4xx", (text) => {
    const isCode = /^[1-5]\d\d$/.test(text);
    return isCode ? Number(text) : statusClasses.find((each) => each === text.toLowerCase());
  }),
  path: query.parsed(
    `a path or a pattern such as /todos/{id} or *.pdf, of at most ${maxPathLength} characters`,
    (text) => (/^[/*]/.test(text) && text.length <= maxPathLength ? text : undefined),
  ),
  trace: query.parsed(`a trace ID: ${traceIdLength} letters and digits`, (text) =>
    isTraceId(text) ? text : undefined,
  ),
  min_duration: duration,
  max_duration: duration,
};

/** Finds bounds of the duration that exclude each other. */
export function findDurationConflict(values: Partial<QueryValues<typeof requestFilters>>): Problems {
  const { min_duration: min = 0, max_duration: max = min } = values;
  return max < min ? invalidParameter("max_duration", "no less than min_duration") : {};
}
