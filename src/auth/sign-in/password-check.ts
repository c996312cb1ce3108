import { ApiError } from "../../lib/errors/errors.ts";
import { INVALID_FIELDS, refuseInvalid } from "../../lib/fields.ts";
import type { Account, Accounts } from "../accounts/accounts.ts";
import { whenAvailable } from "../available.ts";
import { WRONG_CREDENTIALS } from "../errors.ts";
import { givenPasswordProblem, isEmail, normalizeEmail } from "../fields.ts";
import type { Passwords } from "../passwords/passwords.ts";
import type { Client } from "./client.ts";
import type { KnownClients } from "./known-clients.ts";
import type { Attempt, Throttle } from "./throttle.ts";

/** Returns the account with this email and password. Throws the same error for a wrong email and a wrong password. */
export type CheckPassword = (email: string, password: string, client: Client) => Promise<Account>;

interface CheckParts {
  accounts: Accounts;
  passwords: Passwords;
  throttle: Throttle;
  knownClients: KnownClients;
}

export function createPasswordCheck(parts: CheckParts): CheckPassword {
  const { accounts, passwords, throttle, knownClients } = parts;

  async function begin(email: string, client: Client): Promise<Attempt> {
    if (client.device === undefined) throttle.refuseAgain(email, client.address);
    const knownAs = await knownClients.find(email, client);
    return throttle.begin(email, client.address, knownAs);
  }

  /** An attempt whose password could not be compared is not counted. If that fails too, the first error is thrown. */
  async function compare(attempt: Attempt, account: Account | undefined, password: string) {
    try {
      return await passwords.verify(account?.passwordHash, password);
    } catch (error) {
      await attempt.withdraw().catch(() => {});
      throw error;
    }
  }

  return async (given, password, client) => {
    const email = normalizeEmail(given);
    refuseMissing(email, password);
    const attempt = await whenAvailable(begin(email, client));
    const account = isEmail(email) ? await whenAvailable(accounts.findByEmail(email)) : undefined;
    const isRight = await compare(attempt, account, password);
    if (!account || !isRight) throw WRONG_CREDENTIALS();
    await whenAvailable(attempt.succeed());
    return account;
  };
}

function refuseMissing(email: string, password: string): void {
  const missing = { code: "required", message: "Enter your email address." };
  refuseInvalid({
    identity: email === "" ? missing : undefined,
    password: givenPasswordProblem(password),
  });
}

/** Converts the error of a confirmation to an error of the password field. */
export function wrongCurrentPassword(error: unknown): unknown {
  if (!isOneOf(error, WRONG_CREDENTIALS.code, INVALID_FIELDS.code)) return error;
  const wrong = { code: "wrong", message: "The current password is wrong." };
  return INVALID_FIELDS.with({ data: { oldPassword: wrong } }, wrong.message);
}

function isOneOf(error: unknown, ...codes: string[]): boolean {
  return error instanceof ApiError && error.code !== undefined && codes.includes(error.code);
}
