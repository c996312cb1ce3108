import { defineError } from "../../lib/errors/errors.ts";

export const FILE_NOT_FOUND = defineError("FILE_NOT_FOUND", 404, "File not found: %s.");
export const PRECONDITION_FAILED = defineError(
  "PRECONDITION_FAILED",
  412,
  "The file has changed: the condition in If-Match or If-Unmodified-Since is not met.",
);
export const RANGE_NOT_SATISFIABLE = defineError(
  "RANGE_NOT_SATISFIABLE",
  416,
  "The requested range is outside of the file, which has %s bytes.",
);
