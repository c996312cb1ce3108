import assert from "node:assert/strict";
import { CompiledQuery, type KyselyPlugin, type QueryId, SqliteQueryCompiler } from "kysely";
import type { Database } from "../database.ts";
import { withPlugin } from "./with-plugin.ts";

export interface RecordedPlans {
  /** The same SQLite database. It records its queries. */
  readonly recorded: Database;
  /** The plans of the queries since the last call, with a line for each step. */
  take(): Promise<string[]>;
}

/** Explains the queries that are sent to a SQLite database. */
export function recordPlans(database: Database): RecordedPlans {
  const queries: CompiledQuery[] = [];
  const compiler = new SqliteQueryCompiler();
  // Parts of queries are transformed as well, but have no result.
  const compiled = new WeakMap<QueryId, CompiledQuery>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      compiled.set(queryId, compiler.compileQuery(node, queryId));
      return node;
    },
    async transformResult({ queryId, result }) {
      queries.push(compiled.get(queryId)!);
      return result;
    },
  };
  return {
    recorded: withPlugin(database, plugin),
    take: () => Promise.all(queries.splice(0).map((query) => describePlan(database, query))),
  };
}

async function describePlan(database: Database, { sql, parameters }: CompiledQuery): Promise<string> {
  const query = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
  const { rows } = await database.tables().executeQuery<{ detail: string }>(query);
  return rows.map(({ detail }) => detail).join("\n");
}

/** Fails if a query reads a whole table or sorts one. Rows in the order of an index are read up to the limit of the query. */
export async function assertBounded(plans: RecordedPlans): Promise<void> {
  const all = await plans.take();
  assert.ok(all.length > 0, "no query");
  for (const plan of all) {
    assert.doesNotMatch(plan, /^SCAN (?!.* USING )annex_/m, plan);
    assert.doesNotMatch(plan, /USE TEMP B-TREE/, plan);
  }
}
