import type { IncomingMessage } from "node:http";
import { isError, readProperty } from "../../lib/thrown.ts";

/** Whether an error is that of the connection: the client has disconnected, or has sent bytes that are not HTTP. */
export function isConnectionError(error: unknown, request: IncomingMessage): boolean {
  return isError(error) && (error === request.errored || error === request.socket.errored);
}

/**
 * Whether a client may have caused an error by disconnecting: the error has a status such as 400, as those of body
 * parsers, or a stream to the client could not end.
 */
export function isClientError(error: unknown): boolean {
  return hasClientStatus(error) || readCode(error) === "ERR_STREAM_PREMATURE_CLOSE";
}

/** Whether an error has a status from 400 to 499, as those of NestJS, `http-errors` and body parsers. */
export function hasClientStatus(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const status = Number(readProperty(error, "statusCode") ?? readProperty(error, "status"));
  return status >= 400 && status < 500;
}

function readCode(error: unknown): unknown {
  return typeof error === "object" && error !== null ? readProperty(error, "code") : undefined;
}
