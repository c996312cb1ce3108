import type { Kysely } from "kysely";
import type { Clock } from "../../lib/time/clock.ts";
import type { AuthTables, OpenDatabase } from "../tables.ts";

export interface ValidityParts {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  /** How long a browser session may be unused; `undefined` for no limit. API tokens have no idle limit. */
  readonly idleMs: number | undefined;
}

/** Creates a query over the currently valid tokens, each joined to its superuser. */
export function createValidTokens({ database, clock, idleMs }: ValidityParts) {
  return async () => {
    const now = clock.now();
    const valid = joinSuperusers((await database()).tables<AuthTables>()).where("expires", ">", now);
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

function joinSuperusers(tables: Kysely<AuthTables>) {
  return tables
    .selectFrom("annex_tokens as token")
    .innerJoin("annex_superusers as superuser", (join) =>
      join
        .onRef("superuser.id", "=", "token.superuser_id")
        .onRef("superuser.generation", "=", "token.generation"),
    );
}
