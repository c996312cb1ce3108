import type { Argument, InterpreterContext, Site } from "../interpreter-context.ts";
import { shownLiteralsOf } from "../values/alternatives.ts";
import { type ErrorValue, unknown } from "../values/value.ts";
import { guardStatus } from "./body-uses.ts";

/** The error created by `e.error(404, "…")` or `new ApiError(404, "…")`. */
export function createError(
  machine: InterpreterContext,
  [status, message]: readonly Argument[],
  { node, env, frame }: Site,
): ErrorValue {
  guardStatus(status, frame);
  return {
    kind: "error",
    status: status?.value ?? unknown,
    message: messageOf(message),
    classes: [],
    made: machine.placeOf(node, env),
  };
}

function messageOf(argument: Argument | undefined): string | undefined {
  const values = argument && shownLiteralsOf(argument.value);
  return values?.length === 1 && typeof values[0] === "string" ? values[0] : undefined;
}
