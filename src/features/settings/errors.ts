import { defineError } from "../../lib/errors/errors.ts";

export const OPTION_UNKNOWN = defineError("OPTION_UNKNOWN", 404, 'Option "%s" does not exist.');
export const OPTION_FIXED = defineError(
  "OPTION_FIXED",
  409,
  'The option "%s" cannot be changed at run time: %s.',
);
