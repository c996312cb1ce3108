import { defineError } from "../../lib/errors/errors.ts";

export const TOO_MANY_WATCHERS = defineError(
  "TOO_MANY_WATCHERS",
  503,
  "Too many live connections. Close an open dashboard.",
);
export const ERROR_UNKNOWN = defineError("ERROR_UNKNOWN", 404, 'Error "%s" does not exist.');
export const REQUEST_UNKNOWN = defineError(
  "REQUEST_UNKNOWN",
  404,
  'Request "%s" is no longer in memory. Search the logs.',
);
