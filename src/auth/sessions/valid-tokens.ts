import type { Kysely } from "kysely";
import type { Clock } from "../../lib/time/clock.ts";
import type { Database } from "../../storage/index.ts";
import type { AuthTables, OpenDatabase } from "../tables.ts";

export interface ValidityParts {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  /** How long a browser session may be unused; `undefined` for no limit. API tokens have no idle limit. */
  readonly idleMs: number | undefined;
}

/** SQLite reads this many tokens in the calling thread, which takes a few milliseconds. */
const mostReadHere = 5_000;

/**
 * Creates a query over the currently valid tokens, each joined to its superuser. `isList` is for queries that read all of
 * them: a program that signs in every minute has thousands.
 */
export function createValidTokens({ database, clock, idleMs }: ValidityParts) {
  return async ({ isList = false } = {}) => {
    const now = clock.now();
    const opened = await database();
    const tables = isList ? await tablesForList(opened) : opened.tables<AuthTables>();
    const valid = joinSuperusers(tables).where("expires", ">", now);
    if (idleMs === undefined) return valid;
    return valid.where(({ eb, or, fn }) =>
      or([
        eb("token.kind", "=", "token"),
        eb(fn.coalesce("token.last_used", "token.created"), ">", now - idleMs),
      ]),
    );
  };
}

export type ValidTokens = ReturnType<typeof createValidTokens>;

async function tablesForList(database: Database): Promise<Kysely<AuthTables>> {
  const tables = database.tables<AuthTables>();
  if (database.engine !== "sqlite") return tables;
  const oneBeyond = tables
    .selectFrom("annex_tokens")
    .select("expires")
    .orderBy("expires")
    .offset(mostReadHere)
    .limit(1);
  return (await oneBeyond.executeTakeFirst()) === undefined ? tables : database.reader();
}

function joinSuperusers(tables: Kysely<AuthTables>) {
  return tables
    .selectFrom("annex_tokens as token")
    .innerJoin("annex_superusers as superuser", (join) =>
      join
        .onRef("superuser.id", "=", "token.superuser_id")
        .onRef("superuser.generation", "=", "token.generation"),
    );
}
