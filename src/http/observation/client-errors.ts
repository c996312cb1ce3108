import type { IncomingMessage } from "node:http";
import { readProperty } from "../../lib/thrown.ts";

/** Whether an error is that of the connection: the client has disconnected, or has sent bytes that are not HTTP. */
export function isConnectionError(error: unknown, request: IncomingMessage): boolean {
  return error instanceof Error && (error === request.errored || error === request.socket.errored);
}

/**
 * Whether a client may have caused an error by disconnecting: the error has a status such as 400, as those of body
 * parsers, or a stream to the client could not end.
 */
export function isClientError(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if (readProperty(error, "code") === "ERR_STREAM_PREMATURE_CLOSE") return true;
  const status = Number(readProperty(error, "statusCode") ?? readProperty(error, "status"));
  return status >= 400 && status < 500;
}
