import { defineError } from "../lib/errors/errors.ts";

export const HISTORY_UNAVAILABLE = defineError(
  "HISTORY_UNAVAILABLE",
  503,
  "History is temporarily unavailable. Retry shortly.",
);
