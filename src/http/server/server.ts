import type { IncomingMessage, RequestListener, Server, ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { http } from "../../lib/node/http.ts";
import { respondWithError } from "../errors/error-response.ts";
import { EXPECTATION_FAILED } from "../errors/errors.ts";
import type { ObservedResponse, ObservedResponseClass } from "../observation/observed-response.ts";
import type { ListenerLimits } from "./limits.ts";
import { respondToMalformed } from "./malformed-request.ts";

/** Node's server, whose responses are observed. */
export type ObservedServer = Server<typeof IncomingMessage, ObservedResponseClass>;

export interface ServerParts {
  readonly Response: ObservedResponseClass;
  readonly limits: ListenerLimits;
  readonly handle: (response: ObservedResponse) => void;
  /** Whether connections are encrypted. The certificate is set before the server listens. */
  readonly isSecure: boolean;
  /** Whether an upgrade request gets the connection. Others are handled like requests without an upgrade. */
  readonly canUpgrade: (request: IncomingMessage) => boolean;
}

export function createObservedServer(parts: ServerParts): ObservedServer {
  const { Response, limits, handle, isSecure, canUpgrade } = parts;
  const options: ServerOptions<typeof IncomingMessage, ObservedResponseClass> = {
    ServerResponse: Response,
    maxHeaderSize: limits.headerBytes,
    connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs, limits.requestTimeoutMs),
    // Checked in `dispatch`, which sends the standard error body.
    requireHostHeader: false,
    // Node 24 and later: avoids creating a body stream for requests without a body.
    optimizeEmptyRequests: true,
    // Node 24.9 and later. Before, the listener of "upgrade" gets all upgrade requests.
    shouldUpgradeCallback: canUpgrade,
  };
  const listener: RequestListener<typeof IncomingMessage, ObservedResponseClass> = (_request, response) =>
    handle(response);
  const server = isSecure
    ? createTlsServer({ ...options, handshakeTimeout: limits.headersTimeoutMs }, listener)
    : http.createServer(options, listener);
  // As options, Node would refuse a headers timeout above the request timeout.
  server.headersTimeout = limits.headersTimeoutMs;
  server.requestTimeout = limits.requestTimeoutMs;
  server.keepAliveTimeout = limits.keepAliveTimeoutMs;
  server.on("clientError", respondToMalformed);
  server.on("checkExpectation", (_request, response) => {
    respondWithError({ response, hasResponded: false }, EXPECTATION_FAILED());
  });
  return server;
}
