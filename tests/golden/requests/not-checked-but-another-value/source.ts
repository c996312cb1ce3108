// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const PRIORITIES = ["low", "normal", "high"];
const OPEN_STATES = new Set(["new", "waiting"]);

interface Ticket {
  id: string;
  priority: string;
  state: string;
  ageHours: number;
}

declare const tickets: {
  search(filter: { text: string; state: string | undefined }): Promise<Ticket[]>;
  find(id: string): Promise<Ticket | undefined>;
  setPriority(id: string, priority: string | undefined): Promise<Ticket>;
  similar(id: string, hours: number): Promise<Ticket[]>;
};

async function searchTickets(e: RequestEvent) {
  const state = e.query("state");
  const found = await tickets.search({ text: e.query("q") ?? "", state });
  if (found.length > 1000) throw e.error(422, "These are too many, search for something else.");
  return e.json(200, { assignee: e.query("assignee") ?? "", tickets: found });
}

async function raisePriority(e: RequestEvent<"id">) {
  const priority = e.query("priority");
  const ticket = await tickets.find(e.pathValue("id"));
  if (!ticket) throw e.error(404, "There is no such ticket.");
  // Tickets of the old system have priorities of their own.
  if (!PRIORITIES.includes(ticket.priority)) throw e.error(409, "Convert this ticket first.");
  return e.json(200, await tickets.setPriority(ticket.id, priority));
}

async function listSimilar(e: RequestEvent<"id">) {
  const state = e.query("state");
  const hours = Number(e.query("hours") ?? 24);
  const similar = await tickets.similar(e.pathValue("id"), hours);
  const kept: Ticket[] = [];
  for (const ticket of similar) {
    const { state, ageHours: hours } = ticket;
    if (hours > 720) throw e.error(409, "Old tickets must be archived first.");
    if (!OPEN_STATES.has(state)) throw e.error(409, "A closed ticket is in the index.");
    kept.push(ticket);
  }
  return e.json(200, state === undefined ? kept : kept.filter((ticket) => ticket.state === state));
}

export function routes(router: VersionedRouter): void {
  router.get("/tickets", searchTickets);
  router.post("/tickets/{id}/priority", raisePriority);
  router.get("/tickets/{id}/similar", listSimilar);
}
