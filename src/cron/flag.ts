import type { RequestEvent } from "../http/index.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";

/** Reads a boolean query parameter. */
export function readFlag(e: RequestEvent<never>, name: string, fallback: boolean): boolean {
  const text = e.query(name);
  if (text === undefined || text === "") return fallback;
  const isTrue = text === "true" || text === "1";
  const problem: FieldProblem = { code: "invalid", message: `The value of ${name} must be true or false.` };
  refuseInvalid({ [name]: isTrue || text === "false" || text === "0" ? undefined : problem });
  return isTrue;
}
