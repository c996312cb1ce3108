import { createServer, type IncomingMessage, type Server } from "node:http";
import { respondWithError } from "../errors/error-response.ts";
import { EXPECTATION_FAILED } from "../errors/errors.ts";
import {
  type ObservedResponse,
  type ObservedResponseClass,
  observedResponse,
  type RequestObserver,
} from "../observer.ts";
import type { ListenerLimits } from "./limits.ts";
import { respondToMalformed } from "./malformed-request.ts";

/** Node's server, whose responses are observed. */
export type ObservedServer = Server<typeof IncomingMessage, ObservedResponseClass>;

export interface ServerParts {
  readonly observer: RequestObserver;
  readonly limits: ListenerLimits;
  readonly handle: (response: ObservedResponse) => void;
}

export function createObservedServer({ observer, limits, handle }: ServerParts): ObservedServer {
  const server = createServer(
    {
      ServerResponse: observedResponse(observer),
      maxHeaderSize: limits.headerBytes,
      connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs, limits.requestTimeoutMs),
      // Checked in `dispatch`, which sends the standard error body.
      requireHostHeader: false,
      // Node 24 and later: avoids creating a body stream for requests without a body.
      optimizeEmptyRequests: true,
    },
    (_request, response) => handle(response),
  );
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
