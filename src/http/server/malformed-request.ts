import type { Duplex } from "node:stream";
import type { ErrorDefinition } from "../../lib/errors/errors.ts";
import { createTraceId } from "../../lib/ids.ts";
import { http } from "../../lib/node/http.ts";
import { errorBody } from "../errors/error-response.ts";
import { HEADERS_TOO_LARGE, MALFORMED_REQUEST, REQUEST_TIMEOUT } from "../errors/errors.ts";
import { endSoon } from "../observation/end-soon.ts";
import { openRequests } from "../observation/peer.ts";

const known: Record<string, ErrorDefinition> = {
  HPE_HEADER_OVERFLOW: HEADERS_TOO_LARGE,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: HEADERS_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: REQUEST_TIMEOUT,
};

/** Sends the standard error body for bytes that are not a valid request, and closes the connection. */
export function respondToMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  const isHandshake = /^ERR_(SSL|TLS)_/.test(error.code ?? "");
  if (error.code === "ECONNRESET" || isHandshake || !socket.writable) {
    socket.destroy();
    return;
  }
  const open = openRequests(socket);
  if (open.length > 1 || open[0]?.response.headersSent) {
    // Another response is being sent, and this one would become part of it.
    endSoon(socket);
    return;
  }
  const traceId = createTraceId();
  const response = (known[error.code ?? ""] ?? MALFORMED_REQUEST)();
  const body = JSON.stringify(errorBody(response, traceId));
  socket.end(
    [
      `HTTP/1.1 ${response.status} ${http.STATUS_CODES[response.status]}`,
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
