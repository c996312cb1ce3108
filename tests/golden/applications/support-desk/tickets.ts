import { randomUUID } from "node:crypto";

export interface TicketComment {
  id: string;
  author: string;
  text: string;
  postedAt: Date;
  replies: TicketComment[];
}

export interface Attachment {
  id: string;
  name: string;
  path: string;
}

export interface Ticket {
  id: string;
  subject: string;
  priority: "low" | "normal" | "urgent";
  state: "open" | "waiting" | "solved";
  comments: TicketComment[];
}

export interface NewTicket {
  subject: string;
  text: string;
  priority: "low" | "normal" | "urgent";
  requester: string;
}

export const tickets = new Map<string, Ticket>();
export const attachments = new Map<string, Attachment>();

export function newComment(author: string, text: string): TicketComment {
  return { id: randomUUID(), author, text, postedAt: new Date(), replies: [] };
}

export function findComment(comments: TicketComment[], id: string): TicketComment | undefined {
  for (const comment of comments) {
    const found = comment.id === id ? comment : findComment(comment.replies, id);
    if (found) return found;
  }
  return undefined;
}
