// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type Cursor, type Message, nameOf, type Person, roomNamed } from "./rooms.ts";

interface MessagePage {
  messages: Message[];
  nextCursor: string | null;
}

function personOf(e: RequestEvent): Person {
  if (e.auth === null) throw e.error(401, "Sign in to take part.");
  const id = String(e.auth.id);
  return { id, name: nameOf(id) };
}

function cursorOf(e: RequestEvent): Cursor | undefined {
  const raw = e.query("before");
  if (raw === undefined) return undefined;
  const [sentAt, id] = Buffer.from(raw, "base64url").toString("utf8").split("|");
  if (!sentAt || !id) throw e.error(400, "This cursor is not one of ours.");
  return { sentAt: Number(sentAt), id };
}

function encode(message: Message): string {
  return Buffer.from(`${message.sentAt.getTime()}|${message.id}`).toString("base64url");
}

function readPage(e: RequestEvent<"room">): MessagePage {
  const limit = Math.min(Number(e.query("limit") || "50") || 50, 200);
  const messages = roomNamed(e.pathValue("room")).before(cursorOf(e), limit);
  const oldest = messages.at(-1);
  return { messages, nextCursor: oldest && messages.length === limit ? encode(oldest) : null };
}

/** Returns messages, newest first. */
function listMessages(e: RequestEvent<"room">) {
  return e.json(200, readPage(e));
}

/**
 * Returns messages as the first version of the app wants them.
 *
 * @deprecated Use the messages of the room.
 */
function readHistory(e: RequestEvent<"room">) {
  return e.json(200, readPage(e).messages);
}

/** Posts a message. */
async function postMessage(e: RequestEvent<"room">) {
  const author = personOf(e);
  const room = roomNamed(e.pathValue("room"));
  const { text, replyTo } = await e.bindBody<{ text: string; replyTo?: string }>();
  return e.json(201, room.post(author, text, replyTo));
}

/** Changes the text of one's own message. */
async function editMessage(e: RequestEvent<"room" | "messageId">) {
  const person = personOf(e);
  const message = roomNamed(e.pathValue("room")).find(e.pathValue("messageId"));
  if (!message) throw e.error(404, "There is no such message.");
  if (message.author.id !== person.id) throw e.error(403, "This is somebody else's message.");
  message.text = (await e.bindBody<{ text: string }>()).text;
  message.editedAt = new Date();
  return e.json(200, message);
}

/** Counts what has been written since a time. */
function countUnread(e: RequestEvent<"room">) {
  const since = Number(e.query("since"));
  if (Number.isNaN(since) || since < 0) throw e.error(400, "since is a time in milliseconds.");
  return e.json(200, { unread: roomNamed(e.pathValue("room")).since(since).length });
}

export function routes(router: VersionedRouter): void {
  router.get("/rooms/{room}/messages", listMessages);
  router.get("/rooms/{room}/history", readHistory);
  router.post("/rooms/{room}/messages", postMessage);
  router.patch("/rooms/{room}/messages/{messageId}", editMessage);
  router.get("/rooms/{room}/unread", countUnread);
}
