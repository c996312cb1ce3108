import type { Account, Accounts, Superuser } from "./accounts.ts";
import { SUPERUSER_UNKNOWN } from "./errors.ts";
import { isEmail, normalizeEmail } from "./fields.ts";

/** The superusers as a program manages them: known by their email. */
export interface Superusers {
  create(email: string, password: string): Promise<Superuser>;
  /** All of them, by email. */
  list(): Promise<Superuser[]>;
  /** Also ends every session and token of that superuser. */
  changePassword(email: string, password: string): Promise<void>;
  /** Also ends every session and token of that superuser. The last one cannot be removed. */
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
