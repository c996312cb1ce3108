import { EVENT_INVALID } from "../errors/errors.ts";

/** A server-sent event. All fields are optional. */
export interface ServerSentEvent<Data = unknown> {
  /** Strings are sent as they are, other values as JSON. */
  data?: Data | undefined;
  /** The name of the event. Browsers use "message" without one. */
  event?: string | undefined;
  /** Clients send the last ID in the `Last-Event-ID` header when they reconnect. */
  id?: string | number | undefined;
  /** How long clients wait before they reconnect, in milliseconds. */
  retry?: number | undefined;
  /** A text that clients ignore. */
  comment?: string | undefined;
}

/** Writes an event in the format of event streams, with the blank line that ends it. */
export function formatEvent(event: ServerSentEvent): string {
  if (typeof event !== "object" || event === null)
    throw EVENT_INVALID("it must be an object such as { data: … }");
  const { data, event: name, id, retry, comment } = event;
  let text = "";
  if (comment !== undefined) text += formatLines("", comment);
  if (retry !== undefined) text += `retry: ${checkRetry(retry)}\n`;
  if (id !== undefined) text += `id: ${checkLine("ID", String(id))}\n`;
  if (name !== undefined) text += `event: ${checkLine("name", name)}\n`;
  // Clients ignore events without data.
  if (data === undefined) return name === undefined ? `${text}\n` : `${text}data:\n\n`;
  return `${text}${formatLines("data", typeof data === "string" ? data : (JSON.stringify(data) ?? "null"))}\n`;
}

function formatLines(field: string, text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `${field}: ${line}\n`)
    .join("");
}

/** A line break would begin another field, which could come from user input. */
function checkLine(what: string, text: string): string {
  if (/[\r\n\0]/.test(text)) throw EVENT_INVALID(`its ${what} contains a line break or a null character`);
  return text;
}

function checkRetry(retry: number): number {
  if (!Number.isSafeInteger(retry) || retry < 0)
    throw EVENT_INVALID("retry must be a whole number of milliseconds");
  return retry;
}
