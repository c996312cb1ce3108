import { type ApiError, defineError, type FieldProblem } from "./errors/errors.ts";

export const INVALID_FIELDS = defineError("INVALID_FIELDS", 400, "%s");

/** Throws an error that lists all invalid fields. Does nothing if all fields are valid. */
export function refuseInvalid(problems: Record<string, FieldProblem | undefined>): void {
  const found = Object.entries(problems).flatMap(([name, problem]) =>
    problem === undefined ? [] : [[name, problem] as const],
  );
  if (found.length > 0) throw invalidFields(Object.fromEntries(found));
}

/** An error that lists invalid fields. Its message contains the messages of all of them. */
export function invalidFields(problems: Readonly<Record<string, FieldProblem>>): ApiError {
  const sentences = Object.values(problems).map(({ message }) => message);
  return INVALID_FIELDS.with({ data: problems }, sentences.join(" "));
}

/** A value that is not as expected: `invalid("limit", "an integer from 1 to 100")`. */
export function invalid(name: string, expected: string): FieldProblem {
  return { code: "invalid", message: `The value of ${name} must be ${expected}.` };
}

/** A value that must be given: `missing("timezone", "an IANA name such as Europe/Berlin")`. */
export function missing(name: string, expected: string): FieldProblem {
  return { code: "required", message: `${name} is required: ${expected}.` };
}
