// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { db } from "./database.ts";

interface NewTicket {
  subject: string;
  requester: string;
  priority: "low" | "normal" | "high";
}

/** Opens a ticket. Nobody is notified. */
async function openTicket(e: RequestEvent) {
  const { subject, requester, priority } = await e.bindBody<NewTicket>();
  const ticket = await db
    .insertInto("ticket")
    .values({ subject, requester, priority })
    .returning(["id", "created_at"])
    .executeTakeFirstOrThrow();
  e.setHeader("Location", `/tickets/${ticket.id}`);
  return e.json(201, ticket);
}

async function getTicket(e: RequestEvent<"id">) {
  const ticket = await db
    .selectFrom("ticket")
    .selectAll()
    .where("id", "=", Number(e.pathValue("id")))
    .executeTakeFirstOrThrow(() => e.error(404, "There is no such ticket."));
  return e.json(200, ticket);
}

async function closeTicket(e: RequestEvent<"id">) {
  const ticket = await db
    .updateTable("ticket")
    .set({ state: "closed", closed_at: new Date() })
    .where("id", "=", Number(e.pathValue("id")))
    .where("state", "=", "open")
    .returning(["id", "state", "closed_at as closedAt"])
    .executeTakeFirst();
  if (ticket === undefined) throw e.error(409, "This ticket is not open.");
  return e.json(200, ticket);
}

async function deleteTicket(e: RequestEvent<"id">) {
  const result = await db
    .deleteFrom("ticket")
    .where("id", "=", Number(e.pathValue("id")))
    .executeTakeFirst();
  if (result.numDeletedRows === 0n) throw e.error(404, "There is no such ticket.");
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/tickets", openTicket);
  router.get("/tickets/{id}", getTicket);
  router.post("/tickets/{id}/close", closeTicket);
  router.delete("/tickets/{id}", deleteTicket);
}
