import { ApiError } from "../lib/errors.ts";
import { INVALID_FIELDS, refuseInvalid } from "../lib/fields.ts";
import type { Account, Accounts } from "./accounts.ts";
import { WRONG_CREDENTIALS } from "./errors.ts";
import { givenPasswordProblem, isEmail, normalizeEmail } from "./fields.ts";
import type { Passwords } from "./passwords.ts";
import type { Throttle } from "./throttle.ts";

/** Whose email and password these are. Throws the same way whether the account or the password is wrong. */
export type CheckPassword = (email: string, password: string, address: string) => Promise<Account>;

interface CheckParts {
  accounts: Accounts;
  passwords: Passwords;
  throttle: Throttle;
}

export function createPasswordCheck({ accounts, passwords, throttle }: CheckParts): CheckPassword {
  return async (given, password, address) => {
    const email = normalizeEmail(given);
    const missing = { code: "required", message: "Enter your email address." };
    refuseInvalid({
      identity: email === "" ? missing : undefined,
      password: givenPasswordProblem(password),
    });
    const attempt = await throttle.begin(email, address);
    const account = isEmail(email) ? await accounts.findByEmail(email) : undefined;
    const isRight = await passwords.verify(account?.passwordHash, password).catch(async (error) => {
      await attempt.withdraw();
      throw error;
    });
    if (!account || !isRight) throw WRONG_CREDENTIALS();
    await attempt.succeed();
    return account;
  };
}

/** Lets somebody who is known already prove it again, before something that a borrowed screen should not allow. */
export type ConfirmPassword = (email: string, oldPassword: string, address: string) => Promise<void>;

export function createConfirmation(checkPassword: CheckPassword): ConfirmPassword {
  const wrong = { code: "wrong", message: "This is not the current password." };
  return async (email, oldPassword, address) => {
    try {
      await checkPassword(email, oldPassword, address);
    } catch (error) {
      if (isOneOf(error, WRONG_CREDENTIALS.code, INVALID_FIELDS.code)) refuseInvalid({ oldPassword: wrong });
      throw error;
    }
  };
}

function isOneOf(error: unknown, ...codes: string[]): boolean {
  return error instanceof ApiError && error.code !== undefined && codes.includes(error.code);
}
