import type { TypeProblem } from "./query.ts";
import type { Place } from "./shape.ts";

/** The messages of all type problems. `%s` is the subject's name. */
const messages = {
  TYPE_PLACE_UNKNOWN: "No %s was found at this location. The file may have changed since it was read.",
  TYPE_ENGINE_FAILED: "The compiler failed on this type, so its schema is open. Run `tsc` for details. %s",
  TYPE_ANY: "%s is `any`, so its schema is open. Give it a type.",
  TYPE_UNRESOLVED: "%s has a type that the compiler cannot resolve. Run `tsc` for details.",
  TYPE_NOT_INCLUDED:
    "%s has a type that the compiler cannot resolve. No tsconfig.json includes the handler's file, so the aliases and global types of the project do not apply. Add the file to `include`.",
  TYPE_TOO_LARGE: "%s is too large or too deep to be described. Name its parts, or use a simpler type.",
  TYPE_IS_FUNCTION: "%s is a function, which JSON omits. Remove it from the type.",
  TYPE_IS_SYMBOL: "%s is a symbol, which JSON omits. Remove it from the type.",
  TYPE_IS_BIGINT: "%s is a bigint, for which JSON.stringify throws. Send a string or a number.",
  TYPE_NOT_JSON: "%s loses its content in JSON. Send plain objects, arrays, strings and numbers instead.",
  TYPE_OF_LIBRARY: "The JSON format of %s is not known. Send an object with your own type.",
  TYPE_HIDES_NULL: "%s may be null or undefined without the compiler noticing. Set `strictNullChecks`.",
  TYPE_NO_INPUT:
    "%s is not a Standard Schema validator with a known input type. Use zod, valibot or arktype, or give the body a type.",
  TYPE_TAG_UNUSABLE:
    "The tag %s does not fit the type or has an invalid value, so it is ignored. Correct or remove it.",
} as const;

export type ProblemCode = keyof typeof messages;

/** Why a schema allows values that its type does not. This matters only for values that are checked with the schema. */
const inexactMessages = {
  instance:
    "%s is an object of a class in the handler, but a string in the request. Declare it as `string`, for a date with `@format date-time` in its comment.",
  tuple: "%s is a tuple, but the document cannot say which type each position has. Use an object or a list.",
  members:
    "%s is a method, an accessor or a private member, which the parsed body does not have. Use a type that has only fields.",
  never: "%s can only be undefined, which the document cannot say. Remove it from the type.",
  concealed:
    "%s has values that look like credentials, so the document does not contain them. Declare it as `string`, or rename it.",
  undefinedItem: "%s has items that can be undefined, but JSON has only null. Write `null` instead.",
  anything:
    "%s has an empty type, which allows any value but null. Write `unknown` or `Record<string, unknown>`.",
  uniqueItems:
    "%s is a list without duplicates of objects, so a long list takes too long to check. Add `@maxItems` of at most 1000.",
  indexes: "%s has several index signatures, but the document can have only one. Keep one.",
} as const;

export type InexactReason = keyof typeof inexactMessages;

export function createInexact(reason: InexactReason, subject: string, place: Place | undefined): TypeProblem {
  const message = inexactMessages[reason].replace("%s", () => subject);
  return { code: "TYPE_NOT_CHECKABLE", message, ...(place && { file: place.file, line: place.line }) };
}

export function createProblem(code: ProblemCode, subject: string, place: Place | undefined): TypeProblem {
  const message = messages[code].replace("%s", () => subject);
  return { code, message, ...(place && { file: place.file, line: place.line }) };
}
