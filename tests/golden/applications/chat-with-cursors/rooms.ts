import { randomUUID } from "node:crypto";
import { ApiError } from "../../../../src/index.ts";

export interface Person {
  id: string;
  name: string;
}

export interface Message {
  id: string;
  author: Person;
  text: string;
  sentAt: Date;
  editedAt?: Date;
  replyTo?: string;
  reactions: Record<string, number>;
}

export interface Cursor {
  sentAt: number;
  id: string;
}

export class TooFast extends ApiError {
  constructor() {
    super(429, "Slow down a little.");
  }
}

class Room {
  private readonly messages: Message[] = [];

  before(cursor: Cursor | undefined, limit: number): Message[] {
    const older = this.messages.filter((message) => !cursor || message.sentAt.getTime() < cursor.sentAt);
    return older.slice(-limit).reverse();
  }

  find(id: string): Message | undefined {
    return this.messages.find((message) => message.id === id);
  }

  since(time: number): Message[] {
    return this.messages.filter((message) => message.sentAt.getTime() > time);
  }

  post(author: Person, text: string, replyTo: string | undefined): Message {
    const last = this.messages.at(-1);
    if (last?.author.id === author.id && Date.now() - last.sentAt.getTime() < 500) throw new TooFast();
    const message: Message = { id: randomUUID(), author, text, sentAt: new Date(), reactions: {} };
    if (replyTo !== undefined) message.replyTo = replyTo;
    this.messages.push(message);
    return message;
  }
}

const rooms = new Map<string, Room>();

export function roomNamed(name: string): Room {
  const room = rooms.get(name);
  if (!room) throw new ApiError(404, "There is no such room.");
  return room;
}

const names = new Map<string, string>();

export function nameOf(personId: string): string {
  return names.get(personId) ?? "somebody";
}
