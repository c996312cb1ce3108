import type { App, ExecutionLogger, RequestEvent } from "annex";
import type { Tables } from "./tables.ts";

interface NewNote {
  /** @minLength 1 */
  text: string;
}

/** Lists notes, the newest first. */
export async function listNotes(e: RequestEvent) {
  const search = e.query("search") ?? "";
  const notes = await (await tablesOf(e.app))
    .selectFrom("notes")
    .selectAll()
    .where("text", "like", `%${search}%`)
    .orderBy("id", "desc")
    .limit(100)
    .execute();
  return e.json(200, notes);
}

/** Creates a note. */
export async function createNote(e: RequestEvent) {
  const { text } = await e.bindBody<NewNote>();
  if (typeof text !== "string" || text === "") throw e.error(400, "A note needs a text.");
  const note = await (await tablesOf(e.app))
    .insertInto("notes")
    .values({ text, created: Date.now() })
    .returningAll()
    .executeTakeFirstOrThrow();
  return e.json(201, note);
}

const maxAgeMs = 30 * 24 * 3_600_000;

export async function deleteOldNotes(app: App, log: ExecutionLogger): Promise<void> {
  const { numDeletedRows } = await (await tablesOf(app))
    .deleteFrom("notes")
    .where("created", "<", Date.now() - maxAgeMs)
    .executeTakeFirst();
  log.success(`Deleted ${numDeletedRows} notes`);
}

async function tablesOf(app: App) {
  return (await app.database()).tables<Tables>();
}
