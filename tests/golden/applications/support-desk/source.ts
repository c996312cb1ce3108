// API_SOURCE
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile } from "node:fs/promises";
import type { RequestEvent, UploadedFile, VersionedRouter } from "../../../../src/index.ts";
import { attachments, findComment, newComment, type NewTicket, type Ticket, tickets } from "./tickets.ts";

interface AttachmentForm {
  file: UploadedFile;
  description?: string;
}

const STATES = ["open", "waiting", "solved"] as const;

function ticketOf(e: RequestEvent<"id">): Ticket {
  const ticket = tickets.get(e.pathValue("id"));
  if (!ticket) throw e.error(404, "There is no such ticket.");
  return ticket;
}

/** Lists tickets without their comments. */
function listTickets(e: RequestEvent) {
  const state = e.query("state") ?? "open";
  if (!(STATES as readonly string[]).includes(state)) throw e.error(400, "There is no such state.");
  const summaries = [...tickets.values()]
    .filter((ticket) => ticket.state === state)
    .map(({ comments, ...ticket }) => ({ ...ticket, lastActivity: comments.at(-1)?.postedAt ?? null }));
  return e.json(200, { tickets: summaries, count: summaries.length });
}

/** Opens a ticket. */
async function openTicket(e: RequestEvent) {
  const { subject, text, priority, requester } = await e.bindBody<NewTicket>();
  const ticket: Ticket = {
    id: randomUUID(),
    subject,
    priority,
    state: "open",
    comments: [newComment(requester, text)],
  };
  tickets.set(ticket.id, ticket);
  return e.json(201, ticket);
}

/** Returns a ticket with the whole discussion. */
function getTicket(e: RequestEvent<"id">) {
  return e.json(200, ticketOf(e));
}

/** Adds a comment to a ticket, or a reply to a comment. */
async function addComment(e: RequestEvent<"id">) {
  const ticket = ticketOf(e);
  const { author, text, replyTo } = await e.bindBody<{ author: string; text: string; replyTo?: string }>();
  const comment = newComment(author, text);
  if (replyTo === undefined) {
    ticket.comments.push(comment);
  } else {
    const parent = findComment(ticket.comments, replyTo);
    if (!parent) throw e.error(422, "The comment that this replies to is gone.");
    parent.replies.push(comment);
  }
  return e.json(201, comment);
}

/** Attaches a file to a ticket. */
async function attachFile(e: RequestEvent<"id">) {
  const ticket = ticketOf(e);
  const { file, description } = await e.bindBody<AttachmentForm>();
  const id = randomUUID();
  const path = `/var/lib/desk/${ticket.id}-${id}`;
  await copyFile(file.path, path);
  attachments.set(id, { id, name: description ?? file.name, path });
  return e.json(201, { id, ticket: ticket.id, name: file.name });
}

/** Downloads an attachment. */
function downloadAttachment(e: RequestEvent<"attachmentId">) {
  const attachment = attachments.get(e.pathValue("attachmentId"));
  if (!attachment) throw e.error(404, "There is no such attachment.");
  e.setHeader("Content-Disposition", `attachment; filename*=UTF-8''${encodeURIComponent(attachment.name)}`);
  return e.stream(200, "application/octet-stream", createReadStream(attachment.path));
}

export function routes(router: VersionedRouter): void {
  router.get("/tickets", listTickets);
  router.post("/tickets", openTicket);
  router.get("/tickets/{id}", getTicket);
  router.post("/tickets/{id}/comments", addComment);
  router.post("/tickets/{id}/attachments", attachFile);
  router.get("/attachments/{attachmentId}", downloadAttachment);
}
