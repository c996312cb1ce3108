import type { FieldProblem } from "../../../lib/errors/errors.ts";
import { invalid, missing } from "../../../lib/fields.ts";
import type { MaxViewName } from "../wire.ts";

const maxLength: MaxViewName = 80;

/** Control characters, lone surrogates and line separators. PostgreSQL cannot store some of them. */
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const visible = /[^\p{C}\p{Z}]/u;

/** Removes outer spaces and composes characters, so that equal names are stored as the same text. */
export function normalizeName(given: unknown): string {
  return typeof given === "string" ? given.trim().normalize() : "";
}

/** The text by which names are compared: names that differ only in case are the same. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

export function nameProblem(name: string): FieldProblem | undefined {
  if (!visible.test(name)) return missing("name", `1 to ${maxLength} characters`);
  if ([...name].length > maxLength || unfit.test(name)) {
    return invalid("name", `1 to ${maxLength} characters on one line`);
  }
  return undefined;
}
