/** A service for tests of the background thread. It stores notes and fails on request. */
import type { BackgroundContext, BackgroundService, MigrationSet } from "../index.ts";

interface Tables {
  echoes: { text: string };
}

export type Echo = { kind: "keep" | "fail" | "die" | "report" | "read" | "hang"; text?: string };

export const migrations: MigrationSet = {
  feature: "echoes",
  migrations: {
    "001-echoes": {
      up: (db, types) => db.schema.createTable("echoes").addColumn("text", types.text).execute(),
    },
  },
};

export function serve({ database, data, report }: BackgroundContext<string>): BackgroundService {
  const tables = database.tables<Tables>();
  const keep = (text: string) => tables.insertInto("echoes").values({ text }).execute();
  return {
    async handle({ kind, text = "" }: Echo) {
      if (kind === "fail") throw new RangeError(`no ${text}`);
      if (kind === "die") process.exit(3);
      if (kind === "hang") return new Promise(() => {});
      if (kind === "report") return report(text || undefined);
      if (kind === "keep") return void (await keep(text));
      const rows = await tables.selectFrom("echoes").select("text").execute();
      return { data, texts: rows.map((row) => row.text) };
    },
    close: () => (data === "never ends" ? new Promise(() => {}) : keep("closed").then(() => {})),
  };
}
