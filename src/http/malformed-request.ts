import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ErrorDefinition } from "../lib/errors.ts";
import { createTraceId } from "../lib/ids.ts";
import { errorBody } from "./error-answer.ts";
import { HEADERS_TOO_LARGE, MALFORMED_REQUEST, REQUEST_TIMEOUT } from "./errors.ts";
import { endSoon, openResponses } from "./observer.ts";

const known: Record<string, ErrorDefinition> = {
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LARGE,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: HEADERS_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: REQUEST_TIMEOUT,
};

/** Sends the standard error body for bytes that are not a valid request, and closes the connection. */
export function answerMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const open = openResponses(socket);
  if (open.length > 1 || open[0]?.headersSent) {
    // Another response is being sent, and this one would become part of it.
    endSoon(socket);
    return;
  }
  const traceId = createTraceId();
  const answer = (known[error.code ?? ""] ?? MALFORMED_REQUEST)();
  const body = JSON.stringify(errorBody(answer, traceId));
  socket.end(
    [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Trace-ID: ${traceId}`,
      "X-Content-Type-Options: nosniff",
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
