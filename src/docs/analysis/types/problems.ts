import type { TypeProblem } from "./query.ts";
import type { Place } from "./shape.ts";

/** Everything that can be said about a type. `%s` is the name of what it is about. */
const messages = {
  TYPE_PLACE_UNKNOWN: "No %s was found at this place; the file may have changed since it was read.",
  TYPE_ENGINE_FAILED:
    "The compiler failed on this type, so its schema is open; see what `tsc` says about it. %s",
  TYPE_ANY: "%s is `any`, so nothing is known about it; give it a type.",
  TYPE_UNRESOLVED: "%s has a type that the compiler cannot resolve; see what `tsc` says about it.",
  TYPE_NOT_INCLUDED:
    "%s has a type that the compiler cannot resolve. No tsconfig.json includes the handler's file, so the aliases and global types of the project do not apply; add the file to `include`.",
  TYPE_TOO_LARGE: "%s is too large or too deep to be described; give its parts names, or a simpler type.",
  TYPE_IS_FUNCTION: "%s is a function, which JSON leaves out; remove it from the type.",
  TYPE_IS_SYMBOL: "%s is a symbol, which JSON leaves out; remove it from the type.",
  TYPE_IS_BIGINT: "%s is a bigint, on which JSON.stringify throws; send a string or a number.",
  TYPE_NOT_JSON: "%s loses its content in JSON; send plain objects, arrays, strings and numbers instead.",
  TYPE_OF_LIBRARY: "How %s looks as JSON is not known; send an object with a type of your own.",
  TYPE_HIDES_NULL: "%s may be null or undefined without the compiler seeing it; set `strictNullChecks`.",
  TYPE_NO_INPUT:
    "%s is not a Standard Schema validator with a known input type. Use zod, valibot or arktype, or give the body a type.",
  TYPE_TAG_UNUSABLE:
    "The tag %s does not fit the type or has an invalid value, so it is left out. Correct or remove it.",
} as const;

export type ProblemCode = keyof typeof messages;

export function createProblem(code: ProblemCode, subject: string, place: Place | undefined): TypeProblem {
  const message = messages[code].replace("%s", () => subject);
  return { code, message, ...(place && { file: place.file, line: place.line }) };
}
