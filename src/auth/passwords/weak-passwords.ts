import type { FieldProblem } from "../../lib/errors/errors.ts";
import { refuseInvalid } from "../../lib/fields.ts";
import { normalizeEmail } from "../fields.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** A weak password that was accepted. */
export interface WeakPassword {
  readonly email: string;
  readonly reason: Weakness;
}

export type Weakness = "too_common" | "same_as_email";

export type OnWeakPassword = (weak: WeakPassword) => void;

/** Throws if a password is weak. */
export type RefuseWeakPassword = (password: string, email: string) => Promise<void>;

/** With a callback (in development), a weak password is reported and accepted. */
export function createWeakPasswordCheck(onWeakPassword?: OnWeakPassword): RefuseWeakPassword {
  return async (password, email) => {
    const problem = await findWeakness(password, normalizeEmail(email));
    if (problem === undefined) return;
    if (onWeakPassword) onWeakPassword({ email: normalizeEmail(email), reason: problem.code });
    else refuseInvalid({ password: problem });
  };
}

async function findWeakness(
  password: string,
  email: string,
): Promise<(FieldProblem & { code: Weakness }) | undefined> {
  const typed = normalizeEmail(password);
  if (typed === email || typed === email.slice(0, email.indexOf("@"))) {
    return { code: "same_as_email", message: "The password must differ from the email address." };
  }
  if (!(await isCommonPassword(password))) return undefined;
  return { code: "too_common", message: "This password is too common. Choose another one." };
}
