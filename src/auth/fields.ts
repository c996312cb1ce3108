import type { FieldProblem } from "../lib/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";

const maxEmailLength = 254;
const minPasswordLength = 8;
const maxPasswordBytes = 1024;

/** A password to be chosen. The repetition is a help against slips for people; a program may leave it out. */
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

/** One spelling for every way of typing an address, so that nobody has two accounts without knowing. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Whether an account can have this address. Only a letter sent there could tell more. */
export function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text);
}

function emailProblem(email: string): FieldProblem | undefined {
  if (email === "") return { code: "required", message: "Enter an email address." };
  if (isEmail(email)) return undefined;
  return { code: "invalid_email", message: "Enter an email address such as ada@example.com." };
}

/** What is wrong with a password that somebody wants to have. */
function newPasswordProblem(password: string): FieldProblem | undefined {
  const length = [...password].length;
  if (length > 0 && length < minPasswordLength) {
    const message = `The password needs at least ${minPasswordLength} characters.`;
    return { code: "too_short", message };
  }
  return givenPasswordProblem(password);
}

/** What is wrong with a password before it is even compared: hashing megabytes would be work for nothing. */
export function givenPasswordProblem(password: string): FieldProblem | undefined {
  if (password === "") return { code: "required", message: "Enter a password." };
  if (Buffer.byteLength(password) <= maxPasswordBytes) return undefined;
  return { code: "too_long", message: `The password is longer than ${maxPasswordBytes} bytes.` };
}

function repeatProblem(password: string, repeated: string): FieldProblem | undefined {
  if (password === repeated) return undefined;
  return { code: "mismatch", message: "The two passwords are not the same." };
}
