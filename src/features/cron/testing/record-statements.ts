import { type KyselyPlugin, PostgresQueryCompiler } from "kysely";
import type { Database } from "../../../storage/index.ts";
import { withPlugin } from "../../../storage/testing/with-plugin.ts";

/** A database that records its statements. `begin` and `commit` are not among them. */
export function recordStatements(database: Database): { database: Database; statements: string[] } {
  const statements: string[] = [];
  const compiler = new PostgresQueryCompiler();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(compiler.compileQuery(node, queryId).sql.replaceAll(/\s+/g, " ").trim());
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { statements, database: withPlugin(database, plugin) };
}
