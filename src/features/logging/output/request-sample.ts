import type { FinishedRequest } from "../../../http/index.ts";

/** Which `http_request` records are written. All of them unless a share is set. */
export interface RequestSample {
  /** Share of the successful, fast requests without problems. */
  share: number;
  /** Requests that take at least this long are slow. */
  slowMs: number;
  /** Notes that the request with this trace ID logged a warning or an error. */
  noteProblem(traceId: string): void;
  /** The share with which such requests are written: 1 for those that always are, 0 if this one is not. */
  shareOf(request: FinishedRequest): number;
}

/** Traces of job runs and of work after a response are never asked for. */
const mostProblems = 10_000;

export function createRequestSample(share: number, slowMs: number): RequestSample {
  const problems = new Set<string>();
  return {
    share,
    slowMs,
    noteProblem(traceId) {
      if (this.share === 1) return;
      if (problems.size >= mostProblems) problems.clear();
      problems.add(traceId);
    },
    shareOf({ traceId, statusCode, durationMs }) {
      if (this.share === 1) return 1;
      if (problems.delete(traceId) || statusCode >= 400 || durationMs >= this.slowMs) return 1;
      return placeOf(traceId) < this.share ? this.share : 0;
    },
  };
}

/** A number from 0 to 1 that depends only on the trace ID, so that the decision is the same wherever it is made. */
function placeOf(traceId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < traceId.length; index++)
    hash = Math.imul(hash ^ traceId.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
