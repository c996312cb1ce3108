import { SUPERUSER_UNKNOWN } from "../errors.ts";
import { isEmail, normalizeEmail } from "../fields.ts";
import type { Account, Accounts, Superuser } from "./accounts.ts";

/**
 * Manages superusers by email address (`app.superusers`).
 *
 * ```ts
 * await app.superusers.create("ada@example.com", password);
 * ```
 */
export interface Superusers {
  /** Creates a superuser. Throws if the email address is already in use or the password is weak. */
  create(email: string, password: string): Promise<Superuser>;
  /** Lists all superusers, sorted by email. */
  list(): Promise<Superuser[]>;
  /** Changes the password and ends all sessions and tokens of the superuser. */
  changePassword(email: string, password: string): Promise<void>;
  /** Removes a superuser and ends all their sessions and tokens. The last superuser cannot be removed. */
  remove(email: string): Promise<void>;
}

export function createSuperusers(accounts: Accounts): Superusers {
  const known = async (given: string): Promise<Account> => {
    const email = normalizeEmail(given);
    const account = isEmail(email) ? await accounts.findByEmail(email) : undefined;
    if (!account) throw SUPERUSER_UNKNOWN(email);
    return account;
  };
  return {
    async create(email, password) {
      const { id, created, updated, ...account } = await accounts.create(email, password);
      return { id, email: account.email, created, updated };
    },
    list: accounts.list,
    changePassword: async (email, password) => accounts.changePassword((await known(email)).id, password),
    remove: async (email) => accounts.remove((await known(email)).id),
  };
}
