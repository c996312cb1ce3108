import type { FieldProblem } from "../lib/errors/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";

const maxEmailLength = 254;
const minPasswordLength = 8;
const maxPasswordBytes = 1024;

/** A new password. `passwordConfirm` guards against typing errors; API clients can omit it. */
export interface NewPassword {
  password: string;
  passwordConfirm?: string | undefined;
}

export function refuseNewPassword({ password, passwordConfirm = password }: NewPassword): void {
  refuseInvalid({
    password: newPasswordProblem(password),
    passwordConfirm: repeatProblem(password, passwordConfirm),
  });
}

export function refuseNewSuperuser(given: NewPassword & { email: string }): void {
  const { email, password, passwordConfirm = password } = given;
  refuseInvalid({
    email: emailProblem(normalizeEmail(email)),
    password: newPasswordProblem(password),
    passwordConfirm: repeatProblem(password, passwordConfirm),
  });
}

/** Normalizes an email address, so that different spellings belong to the same account. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Whether the text has the form of an email address. */
export function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text);
}

function emailProblem(email: string): FieldProblem | undefined {
  if (email === "") return { code: "required", message: "Enter an email address." };
  if (isEmail(email)) return undefined;
  return { code: "invalid_email", message: "Enter an email address such as ada@example.com." };
}

/** Validates a new password. */
function newPasswordProblem(password: string): FieldProblem | undefined {
  const length = [...password].length;
  if (length > 0 && length < minPasswordLength) {
    const message = `The password needs at least ${minPasswordLength} characters.`;
    return { code: "too_short", message };
  }
  return givenPasswordProblem(password);
}

/** Validates a password before it is hashed, because hashing megabytes would be wasted work. */
export function givenPasswordProblem(password: string): FieldProblem | undefined {
  if (password === "") return { code: "required", message: "Enter a password." };
  if (Buffer.byteLength(password) <= maxPasswordBytes) return undefined;
  return { code: "too_long", message: `The password is longer than ${maxPasswordBytes} bytes.` };
}

function repeatProblem(password: string, repeated: string): FieldProblem | undefined {
  if (password === repeated) return undefined;
  return { code: "mismatch", message: "The passwords do not match." };
}
