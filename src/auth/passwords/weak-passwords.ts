import type { FieldProblem } from "../../lib/errors/errors.ts";
import { refuseInvalid } from "../../lib/fields.ts";
import { normalizeEmail } from "../fields.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { isSimplePattern } from "./simple-patterns.ts";

/** A weak password that was accepted. */
export interface WeakPassword {
  readonly email: string;
  readonly reason: Weakness;
}

export type Weakness = "too_common" | "too_simple" | "same_as_email";

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
  if (isFromEmail(normalizeEmail(password), email)) {
    return { code: "same_as_email", message: "The password must differ from the email address." };
  }
  if (isSimplePattern(password)) {
    return { code: "too_simple", message: "This password is too simple. Choose another one." };
  }
  if (!(await isCommonPassword(password))) return undefined;
  return { code: "too_common", message: "This password is too common. Choose another one." };
}

/** Digits and symbols around a name are guessed first, and add little if they are few. */
const maxAddition = 8;

/** Whether a password is the email address or a part of it, with or without additional digits and symbols. */
function isFromEmail(password: string, email: string): boolean {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  const parts = [email, email.slice(0, at), domain, domain.slice(0, domain.lastIndexOf("."))];
  return parts.filter(Boolean).some((part) => {
    const isSame = lettersOf(part) !== "" && lettersOf(part) === lettersOf(password);
    return password === part || (isSame && password.length - part.length <= maxAddition);
  });
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}]/gu, "");
}
