import type { Transaction } from "kysely";
import type { Clock } from "../../lib/time/clock.ts";
import type { AccessOrigin } from "../access-event.ts";
import { SETUP_LINK_VOID } from "../errors.ts";
import { createSecret, digest } from "../secrets.ts";
import type { AuthTables, OpenDatabase } from "../tables.ts";
import type { OnAccountChange } from "./account-change.ts";
import type { Account, Accounts } from "./accounts.ts";

/**
 * One-time links for creating the first superuser, printed at startup. Every instance that starts with an empty
 * database prints a link. Using one of them invalidates all.
 */
export interface SetupLinks {
  /** `baseUrl` includes the base path. `undefined` if a superuser exists. */
  create(baseUrl: string): Promise<string | undefined>;
  isValid(secret: string): Promise<boolean>;
  /** Creates the first superuser. Only one of several concurrent claims succeeds. */
  claim(secret: string, email: string, password: string, origin?: AccessOrigin): Promise<Account>;
}

interface SetupParts {
  database: OpenDatabase;
  clock: Clock;
  accounts: Accounts;
  ttlMs: number;
  onChange: OnAccountChange;
}

export function createSetupLinks({ database, clock, accounts, ttlMs, onChange }: SetupParts): SetupLinks {
  const tables = async () => (await database()).tables<AuthTables>();

  const links: SetupLinks = {
    async create(baseUrl) {
      if (!(await accounts.isEmpty())) return undefined;
      const db = await tables();
      const now = clock.now();
      const secret = createSecret();
      await db.deleteFrom("annex_setup_links").where("expires", "<=", now).execute();
      await db
        .insertInto("annex_setup_links")
        .values({ hash: digest(secret), expires: now + ttlMs })
        .execute();
      return `${baseUrl}/_/?setup=${secret}`;
    },

    async isValid(secret) {
      const query = (await tables()).selectFrom("annex_setup_links").select("hash");
      const link = query.where("hash", "=", digest(secret)).where("expires", ">", clock.now());
      return (await link.executeTakeFirst()) !== undefined && (await accounts.isEmpty());
    },

    async claim(secret, email, password, origin) {
      if (!(await links.isValid(secret))) throw SETUP_LINK_VOID();
      const prepared = await accounts.prepare(email, password);
      const account = await (await database()).transaction(async (trx: Transaction<AuthTables>) => {
        await refuseSecondClaim(trx);
        return accounts.insert(trx, prepared);
      });
      onChange({ kind: "superuser-add", email: account.email, actor: account.email, origin });
      return account;
    },
  };
  return links;
}

// Deleting the links makes every other claim, with any link, wait here until this one has finished. It then finds a
// superuser.
async function refuseSecondClaim(trx: Transaction<AuthTables>): Promise<void> {
  await trx.deleteFrom("annex_setup_links").execute();
  const superuser = await trx.selectFrom("annex_superusers").select("id").limit(1).executeTakeFirst();
  if (superuser) throw SETUP_LINK_VOID();
}
