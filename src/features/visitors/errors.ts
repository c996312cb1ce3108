import { defineError } from "../../lib/errors/errors.ts";

export const VISITORS_NOT_COUNTED = defineError(
  "VISITORS_NOT_COUNTED",
  404,
  "Visitor statistics are disabled. Set visitors.enabled to true.",
);
