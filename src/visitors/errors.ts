import { defineError } from "../lib/errors.ts";

export const VISITORS_NOT_COUNTED = defineError(
  "VISITORS_NOT_COUNTED",
  404,
  "Views of pages are not counted here: visitors.enabled is off.",
);
