/** The content type of server-sent events. */
export const eventStreamType = "text/event-stream";

/** Whether a content type is that of server-sent events. */
export function isEventStream(type: string | undefined): boolean {
  return type !== undefined && /^text\/event-stream\b/i.test(type);
}
