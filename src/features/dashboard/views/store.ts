import type { Transaction } from "kysely";
import { type AuthTables, lockSuperuser } from "../../../auth/index.ts";
import { createId } from "../../../lib/ids.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import type { Database } from "../../../storage/index.ts";
import { TOO_MANY_VIEWS, VIEW_EXISTS, VIEW_UNKNOWN } from "../errors.ts";
import type { DashboardTables } from "../tables.ts";
import { nameKey } from "./name.ts";

export type ViewRow = DashboardTables["annex_saved_views"];
type Trx = Transaction<DashboardTables & AuthTables>;

/** What a superuser enters, validated. */
export interface ViewInput {
  readonly name: string;
  readonly address: string;
}

/** The saved views of superusers. Every call is limited to the views of one superuser. */
export interface ViewStore {
  /** Sorted by name. */
  list(superuserId: string): Promise<ViewRow[]>;
  /** Throws if the superuser has a view of this name, unless it should be replaced. */
  save(
    superuserId: string,
    view: ViewInput,
    options?: { isReplacing: boolean },
  ): Promise<{ row: ViewRow; isNew: boolean }>;
  /** Throws if the superuser has no such view, or another one of this name. */
  rename(superuserId: string, id: string, name: string): Promise<ViewRow>;
  /** Throws if the superuser has no such view. */
  remove(superuserId: string, id: string): Promise<void>;
}

const maxViews = 100;

export function createViewStore(database: () => Promise<Database>, clock: Clock): ViewStore {
  /** One change of a superuser's views at a time, so that the limit and the names hold for several instances. */
  const change = async <R>(superuserId: string, work: (trx: Trx) => Promise<R>): Promise<R> =>
    (await database()).transaction(async (trx: Trx) => {
      await lockSuperuser(trx, superuserId);
      return work(trx);
    });

  return {
    async list(superuserId) {
      const tables = (await database()).tables<DashboardTables>();
      const own = tables.selectFrom("annex_saved_views").where("superuser_id", "=", superuserId);
      return own.selectAll().orderBy("name_key").execute();
    },

    save: (superuserId, view, { isReplacing } = { isReplacing: false }) =>
      change(superuserId, async (trx) => {
        const same = await findByName(trx, superuserId, view.name);
        if (same && !isReplacing) throw nameTaken(view.name);
        if (same) return { row: await updateView(trx, same.id, view, clock.now()), isNew: false };
        await refuseTooMany(trx, superuserId);
        return { row: await insertView(trx, superuserId, view, clock.now()), isNew: true };
      }),

    rename: (superuserId, id, name) =>
      change(superuserId, async (trx) => {
        const own = trx.selectFrom("annex_saved_views").where("superuser_id", "=", superuserId);
        const found = await own.select("id").where("id", "=", id).executeTakeFirst();
        if (!found) throw VIEW_UNKNOWN(id);
        const same = await findByName(trx, superuserId, name);
        if (same && same.id !== id) throw nameTaken(name);
        return updateView(trx, id, { name }, clock.now());
      }),

    async remove(superuserId, id) {
      const tables = (await database()).tables<DashboardTables>();
      const own = tables.deleteFrom("annex_saved_views").where("superuser_id", "=", superuserId);
      const removed = await own.where("id", "=", id).returning("id").executeTakeFirst();
      if (!removed) throw VIEW_UNKNOWN(id);
    },
  };
}

function nameTaken(name: string): Error {
  const { message } = VIEW_EXISTS(name);
  return VIEW_EXISTS.with({ data: { name: { code: "not_unique", message } } }, name);
}

function findByName(trx: Trx, superuserId: string, name: string): Promise<{ id: string } | undefined> {
  const own = trx.selectFrom("annex_saved_views").where("superuser_id", "=", superuserId);
  return own.select("id").where("name_key", "=", nameKey(name)).executeTakeFirst();
}

async function refuseTooMany(trx: Trx, superuserId: string): Promise<void> {
  const own = trx.selectFrom("annex_saved_views").where("superuser_id", "=", superuserId);
  const { count } = await own.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  if (count >= maxViews) throw TOO_MANY_VIEWS(maxViews);
}

async function insertView(trx: Trx, superuserId: string, view: ViewInput, now: number): Promise<ViewRow> {
  const { name, address } = view;
  const text = { name, name_key: nameKey(name), address };
  const row = { id: createId(), superuser_id: superuserId, ...text, created: now, updated: now };
  await trx.insertInto("annex_saved_views").values(row).execute();
  return row;
}

function updateView(
  trx: Trx,
  id: string,
  change: Pick<ViewInput, "name"> & Partial<ViewInput>,
  now: number,
): Promise<ViewRow> {
  return trx
    .updateTable("annex_saved_views")
    .set({ ...change, name_key: nameKey(change.name), updated: now })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
