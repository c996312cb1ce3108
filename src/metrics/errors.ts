import { defineError } from "../lib/errors.ts";

export const TOO_MANY_WATCHERS = defineError(
  "TOO_MANY_WATCHERS",
  503,
  "Too many clients watch already; close one of the open dashboards.",
);
export const SERVER_STOPS = defineError(
  "SERVER_STOPS",
  503,
  "The server is stopping; come back in a moment.",
);
export const ERROR_UNKNOWN = defineError("ERROR_UNKNOWN", 404, 'No error is known by the fingerprint "%s".');
export const REQUEST_UNKNOWN = defineError(
  "REQUEST_UNKNOWN",
  404,
  'This instance has no request with the trace ID "%s" in its memory any more; look for it in the log.',
);
