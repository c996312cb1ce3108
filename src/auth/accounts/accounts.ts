import type { Transaction } from "kysely";
import { createId } from "../../lib/ids.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { LAST_SUPERUSER, SUPERUSER_EXISTS, SUPERUSER_UNKNOWN } from "../errors.ts";
import { normalizeEmail, refuseNewPassword, refuseNewSuperuser } from "../fields.ts";
import type { Passwords } from "../passwords/passwords.ts";
import { createWeakPasswordCheck, type RefuseWeakPassword } from "../passwords/weak-passwords.ts";
import type { AuthTables, OpenDatabase } from "../tables.ts";
import type { ChangedBy, OnAccountChange } from "./account-change.ts";

/** An account that can use the dashboard and the API of Annex. */
export interface Superuser {
  readonly id: string;
  readonly email: string;
  readonly created: Date;
  readonly updated: Date;
}

/** A superuser with the data for checking a sign-in. */
export interface Account extends Superuser {
  readonly passwordHash: string;
  readonly generation: number;
}

type AccountRow = AuthTables["annex_superusers"];

/** A validated row that can be inserted. */
export interface NewAccount {
  readonly row: AccountRow;
}

/** The superusers in the database, by ID. */
export interface Accounts {
  isEmpty(): Promise<boolean>;
  /** All superusers, sorted by email. */
  list(): Promise<Superuser[]>;
  /** Throws if the account does not exist. */
  get(id: string): Promise<Account>;
  findByEmail(email: string): Promise<Account | undefined>;
  create(email: string, password: string, by?: ChangedBy): Promise<Account>;
  /** `create` in two steps: the slow one that validates, and the one that runs in a transaction. */
  prepare(email: string, password: string): Promise<NewAccount>;
  insert(trx: Transaction<AuthTables>, account: NewAccount): Promise<Account>;
  /** Ends all tokens of the account except `keptToken`. */
  changePassword(id: string, password: string, by?: ChangedBy & { keptToken: string }): Promise<void>;
  /** Ends all tokens of the account except `keptToken`, including tokens that are being issued concurrently. */
  endOtherTokens(id: string, keptToken: string): Promise<void>;
  /** Throws if it is the last superuser. */
  remove(id: string, by?: ChangedBy): Promise<void>;
}

interface AccountParts {
  database: OpenDatabase;
  clock: Clock;
  passwords: Passwords;
  onChange: OnAccountChange;
  /** Default: throws. */
  refuseWeakPassword?: RefuseWeakPassword;
}

export function createAccounts(parts: AccountParts): Accounts {
  const { database, clock, passwords, onChange, refuseWeakPassword = createWeakPasswordCheck() } = parts;
  const tables = async () => (await database()).tables<AuthTables>();

  const accounts: Accounts = {
    async isEmpty() {
      const row = await (await tables())
        .selectFrom("annex_superusers")
        .select("id")
        .limit(1)
        .executeTakeFirst();
      return row === undefined;
    },

    async list() {
      const query = (await tables()).selectFrom("annex_superusers").selectAll().orderBy("email");
      return (await query.execute()).map(toSuperuser);
    },

    async get(id) {
      const query = (await tables()).selectFrom("annex_superusers").selectAll().where("id", "=", id);
      const row = await query.executeTakeFirst();
      if (!row) throw SUPERUSER_UNKNOWN(id);
      return toAccount(row);
    },

    async findByEmail(email) {
      const query = (await tables()).selectFrom("annex_superusers").selectAll().where("email", "=", email);
      const row = await query.executeTakeFirst();
      return row && toAccount(row);
    },

    async create(email, password, by) {
      const prepared = await accounts.prepare(email, password);
      const account = await (await database()).transaction((trx: Transaction<AuthTables>) =>
        accounts.insert(trx, prepared),
      );
      onChange({ kind: "superuser-add", email: account.email, ...whoOf(by) });
      return account;
    },

    async prepare(given, password) {
      const email = normalizeEmail(given);
      refuseNewSuperuser({ email, password });
      await refuseWeakPassword(password, email);
      const now = clock.now();
      const password_hash = await passwords.hash(password);
      return { row: { id: createId(), email, password_hash, generation: 1, created: now, updated: now } };
    },

    async insert(trx, { row }) {
      // Setup links are void once the first superuser exists.
      await trx.deleteFrom("annex_setup_links").execute();
      const inserted = await trx
        .insertInto("annex_superusers")
        .values(row)
        .onConflict((conflict) => conflict.column("email").doNothing())
        .returning("id")
        .executeTakeFirst();
      if (!inserted) throw emailTaken(row.email);
      return toAccount(row);
    },

    async changePassword(id, password, by) {
      refuseNewPassword({ password });
      await refuseWeakPassword(password, (await accounts.get(id)).email);
      const password_hash = await passwords.hash(password);
      const email = await (await database()).transaction(async (trx: Transaction<AuthTables>) => {
        const changed = await changeAccount(trx, id, { password_hash, updated: clock.now() });
        await endOtherTokens(trx, id, changed.generation, by?.keptToken);
        return changed.email;
      });
      onChange({ kind: "password", email, ...whoOf(by) });
    },

    async endOtherTokens(id, keptToken) {
      await (await database()).transaction(async (trx: Transaction<AuthTables>) => {
        const { generation } = await changeAccount(trx, id, {});
        await endOtherTokens(trx, id, generation, keptToken);
      });
    },

    async remove(id, by) {
      const email = await (await database()).transaction(async (trx: Transaction<AuthTables>) => {
        await lockAll(trx);
        const all = await trx.selectFrom("annex_superusers").select(["id", "email"]).execute();
        const removed = all.find((row) => row.id === id);
        if (!removed) throw SUPERUSER_UNKNOWN(id);
        if (all.length === 1) throw LAST_SUPERUSER();
        await trx.deleteFrom("annex_superusers").where("id", "=", id).execute();
        await trx.deleteFrom("annex_tokens").where("superuser_id", "=", id).execute();
        await trx.deleteFrom("annex_known_clients").where("superuser_id", "=", id).execute();
        return removed.email;
      });
      onChange({ kind: "superuser-remove", email, ...whoOf(by) });
    },
  };
  return accounts;
}

function emailTaken(email: string): Error {
  const error = SUPERUSER_EXISTS(email);
  return SUPERUSER_EXISTS.with({ data: { email: { code: "not_unique", message: error.message } } }, email);
}

function whoOf(by: ChangedBy | undefined) {
  return { actor: by?.actor, origin: by?.origin };
}

/** Updates the account and starts a new generation, which invalidates all tokens of the old one. */
async function changeAccount(
  trx: Transaction<AuthTables>,
  id: string,
  values: Partial<Pick<AccountRow, "password_hash" | "updated">>,
): Promise<Pick<AccountRow, "email" | "generation">> {
  const changed = await trx
    .updateTable("annex_superusers")
    .set((eb) => ({ ...values, generation: eb("generation", "+", 1) }))
    .where("id", "=", id)
    .returning(["email", "generation"])
    .executeTakeFirst();
  if (!changed) throw SUPERUSER_UNKNOWN(id);
  return changed;
}

// A token that is being issued concurrently with the old password may be inserted later. It has the old generation, so
// it is invalid.
async function endOtherTokens(
  trx: Transaction<AuthTables>,
  id: string,
  generation: number,
  kept = "",
): Promise<void> {
  const own = trx.updateTable("annex_tokens").where("superuser_id", "=", id);
  await own.set({ generation }).where("hash", "=", kept).execute();
  const others = trx.deleteFrom("annex_tokens").where("superuser_id", "=", id);
  await others.where("generation", "<>", generation).execute();
}

// Writing to every row makes a second removal wait for the first. Otherwise, two superusers who remove each other
// concurrently would both still count two.
async function lockAll(trx: Transaction<AuthTables>): Promise<void> {
  await trx
    .updateTable("annex_superusers")
    .set((eb) => ({ updated: eb.ref("updated") }))
    .execute();
}

/**
 * Locks a superuser until the transaction ends. Features use it to change data of a superuser one at a time, and not
 * while the superuser is being removed. Throws if the superuser does not exist.
 */
export async function lockSuperuser(trx: Transaction<AuthTables>, id: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable("annex_superusers")
    .set((eb) => ({ updated: eb.ref("updated") }))
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw SUPERUSER_UNKNOWN(id);
}

function toSuperuser({ id, email, created, updated }: AccountRow): Superuser {
  return { id, email, created: new Date(created), updated: new Date(updated) };
}

function toAccount(row: AccountRow): Account {
  return { ...toSuperuser(row), passwordHash: row.password_hash, generation: row.generation };
}
