// From TypeScript 5.4 on, queries are typed.
import type { App } from "annex";

export async function count(app: App): Promise<void> {
  const tables = (await app.database()).tables<{ notes: { text: string } }>();
  const rows = await tables.selectFrom("notes").select("text").execute();
  for (const { text } of rows) text.toUpperCase();
  // @ts-expect-error: the table does not exist
  tables.selectFrom("books");
}
